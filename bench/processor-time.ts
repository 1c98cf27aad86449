import { readFileSync, readdirSync } from 'node:fs';
import process from 'node:process';
import type { LocalDatabase } from '../infra/local/database.ts';

/** Processor time that was spent until now, in milliseconds, by who spent it. */
export type ProcessorMs = {
  /** This process: the driver, the service, and the benchmark itself. */
  readonly client: number;
  /** The adapter between the driver and PostgreSQL, where that is the engine. */
  readonly adapter?: number;
  /** The database's processes. */
  readonly engine?: number;
};

/** Reads how much was spent; the difference of two readings is what happened in between. */
export type Meter = () => ProcessorMs;

/** Linux tells a process's time in hundredths of a second, on every architecture. Source: proc(5), sysconf(3). */
const TICK_MS = 10;

/**
 * Meters this process and, on Linux, a database that was started here: its processes are below the one
 * that owns it, and that one is the adapter where the engine is DocumentDB.
 */
export function meterOf({ engine, processId }: Pick<LocalDatabase, 'engine' | 'processId'>): Meter {
  return () => {
    const { user, system } = process.cpuUsage();
    const client = (user + system) / 1000;
    const owned = processId === undefined ? undefined : readBelow(processId);
    if (owned === undefined) return { client };
    return engine === 'DocumentDB'
      ? { client, adapter: owned.top, engine: owned.below }
      : { client, engine: owned.top + owned.below };
  };
}

/** Subtracts an earlier reading, part by part. */
export function spentBetween(before: ProcessorMs, after: ProcessorMs): ProcessorMs {
  return {
    client: after.client - before.client,
    ...(before.adapter === undefined || after.adapter === undefined
      ? {}
      : { adapter: after.adapter - before.adapter }),
    ...(before.engine === undefined || after.engine === undefined
      ? {}
      : { engine: after.engine - before.engine }),
  };
}

type Process = { readonly pid: number; readonly parent: number; readonly ms: number };

/** @returns what a process spent, and what all below it did; undefined where the system does not tell */
function readBelow(pid: number): { readonly top: number; readonly below: number } | undefined {
  const processes = readProcesses();
  const top = processes.find((one) => one.pid === pid);
  if (top === undefined) return undefined;
  const family = new Set([pid]);
  let below = 0;
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid: child, parent, ms } of processes)
      if (family.has(parent) && !family.has(child)) {
        family.add(child);
        below += ms;
      }
  }
  return { top: top.ms, below };
}

function readProcesses(): readonly Process[] {
  try {
    return readdirSync('/proc').flatMap((name) => {
      const pid = Number(name);
      const one = Number.isInteger(pid) ? readProcess(pid) : undefined;
      return one === undefined ? [] : [one];
    });
  } catch {
    return [];
  }
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; count behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // utime, stime, and those of children that have ended: a worker that came and went counts too.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ms: ticks * TICK_MS };
  } catch {
    return undefined; // it ended meanwhile
  }
}
