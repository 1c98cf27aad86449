import type { Db, MongoClient } from 'mongodb';
import { expect, inject } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { createClient } from '../../lib/mongo/client.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import type { ModelRule } from '../model/model-types.ts';
import { sessionLimitsOver } from './audit-fixture.ts';
import type { Sums } from './broken-orders.ts';
import { withShares } from './broken-orders.ts';
import { limitsOver } from './limits-fixture.ts';
import { someOf } from './extent.ts';
import { FAULTS, startTcpProxy, type Fault, type TcpProxy, type Trap } from './tcp-proxy.ts';
import { storedCounters } from './stored-buckets.ts';

/**
 * How long a call waits here: enough for a busy machine, short enough for a thousand silences. After a broken
 * connection the driver takes half a second to find its server again (`minHeartbeatFrequencyMS`), so that
 * Headroom has no time to look.
 */
const TIMEOUT_MS = 300;

/** Far more than any fault here takes: a call that is still undecided then never ends. */
const TRIES_MAX = 40;

/** How often a caller asks in a hurry, before it takes the time that a busy machine needs. */
const HURRIED_TRIES = 6;

/** Time enough to look after a connection was cut, and for whatever is to be done where nothing breaks any more. */
export const PATIENCE_MS = 20_000;

export type BrokenWay = {
  readonly proxy: TcpProxy;
  readonly limits: Limits;
  /** Repeats a call until it is decided; at last with time enough for any machine. */
  untilDecided<T>(call: (limits: Limits) => Promise<T>): Promise<Decided<T>>;
  stop(): Promise<void>;
};

export async function startBrokenWay(
  databaseUri: string,
  databaseName: string,
  rules: readonly ModelRule[],
  options: {
    readonly timeoutMs?: number | undefined;
    /** Every call is one commit, its audit rows included. */
    readonly isOneCommit?: boolean;
  } = {},
): Promise<BrokenWay> {
  const { timeoutMs = TIMEOUT_MS, isOneCommit = false } = options;
  const proxy = await startTcpProxy(databaseUri);
  const clients: MongoClient[] = [];
  const limitsIn = (ms: number): Limits => {
    const client = createClient(proxy.uri, ms);
    clients.push(client);
    const db = client.db(databaseName);
    const counters = mongoCounters(storedCounters(db), { timeoutMs: ms });
    return isOneCommit
      ? sessionLimitsOver(db, rules, { counters }, ms).limits
      : limitsOver(db, rules, { counters });
  };
  const limits = limitsIn(timeoutMs);
  let patient: Limits | undefined;
  return {
    proxy,
    limits,
    untilDecided: (call) =>
      untilDecided((tries) =>
        call(tries < HURRIED_TRIES ? limits : (patient ??= limitsIn(PATIENCE_MS))),
      ),
    async stop() {
      proxy.stop();
      await Promise.all(clients.map((client) => client.close(true)));
    },
  };
}

/** A way on which every call is one commit, its audit rows included, to a database of the tests' server. */
export function startOneCommitWay(
  { databaseName }: Db,
  rules: readonly ModelRule[],
  timeoutMs: number,
): Promise<BrokenWay> {
  const options = { isOneCommit: true, timeoutMs };
  return startBrokenWay(inject('mongodbUri'), databaseName, rules, options);
}

/** A way on which calls wait longer than any other caller takes to do what it does meanwhile. */
export function startSlowWay(
  { databaseName }: Db,
  rules: readonly ModelRule[],
): Promise<BrokenWay> {
  const options = { timeoutMs: PATIENCE_MS };
  return startBrokenWay(inject('mongodbUri'), databaseName, rules, options);
}

/** An answer, and how often there was none before. */
export type Decided<T> = { readonly answer: T; readonly undecided: number };

/** Repeats a call until the store decides it, as a caller does who gets UNDECIDED. */
export async function untilDecided<T>(
  call: (undecided: number) => Promise<T>,
): Promise<Decided<T>> {
  for (let undecided = 0; ; undecided++) {
    try {
      return { answer: await call(undecided), undecided };
    } catch (error) {
      if (!(error instanceof UndecidedError) || undecided >= TRIES_MAX) throw error;
    }
  }
}

/**
 * Makes a call of which one request meets a trap; once more where the call was given up before that
 * request was sent, as happens on a machine that has no turn for it in time.
 *
 * @returns its answer, or its error
 */
export async function untilMet(
  proxy: TcpProxy,
  trap: Trap,
  call: () => Promise<unknown>,
): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    proxy.set(trap);
    const ended = await call().catch((error: unknown) => error);
    const isEarly = ended instanceof UndecidedError && proxy.faultCount() === 0;
    if (!isEarly || tries >= TRIES_MAX) return ended;
  }
}

/** Does work on many items, a few at a time. */
export async function fewAtATime<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/**
 * Makes a call that stands still before its n-th request while something else is done.
 *
 * @returns whether the call came so far
 */
export async function standingStill(
  { proxy }: BrokenWay,
  before: number,
  call: () => Promise<unknown>,
  meanwhile: () => Promise<void>,
): Promise<boolean> {
  proxy.set({ fault: 'request-late', after: before, times: 1 });
  const slow = call().catch((error: unknown) => error);
  const stands = await Promise.race([proxy.met().then(() => true), slow.then(() => false)]);
  await meanwhile();
  await proxy.release();
  await slow;
  return stands;
}

/** Matches sums with any number of shares up to this one. */
export function withUpTo(most: number, sums: Sums): unknown {
  const counts = Array.from({ length: most + 1 }, (_, shares) => shares);
  return expect.toBeOneOf(counts.map((shares) => withShares(sums, shares)));
}

export const ALL_FAULTS = Object.keys(FAULTS) as Fault[]; // its keys

/** A fault at a request, and how long the call waits for it; TIMEOUT_MS where it says nothing. */
export type Breakage = { readonly trap: Trap; readonly timeoutMs?: number };

/** Every fault at every request of a call in a hurry, and those after which there is time to look. */
export function breakagesOf(requests: number): readonly Breakage[] {
  const at = (faults: readonly Fault[], more: Omit<Breakage, 'trap'>) =>
    faults.flatMap((fault) =>
      Array.from({ length: requests }, (_, after) => ({
        ...{ trap: { fault, after, times: 1 } },
        ...more,
      })),
    );
  const noticed = ALL_FAULTS.filter((fault) => !/-(swallowed|late)$/.test(fault));
  return [...at(ALL_FAULTS, {}), ...at(noticed, { timeoutMs: PATIENCE_MS })];
}

/** Every fault at every step, or some: the steps at which each fault is tried. */
export function stepsBroken(
  proof: Parameters<typeof someOf>[0],
  steps: readonly string[],
): (fault: Fault) => readonly number[] {
  const all = ALL_FAULTS.flatMap((fault) => [...steps.keys()].map((after) => ({ fault, after })));
  const tried = someOf(proof, all);
  return (fault) => tried.filter((one) => one.fault === fault).map(({ after }) => after);
}
