import { performance } from 'node:perf_hooks';
import type { Meter, ProcessorMs } from './processor-time.ts';
import { spentBetween } from './processor-time.ts';

/** Something whose speed is measured, beside others, on the same server and in the same minute. */
export type Contender = {
  readonly name: string;
  /** Not timed: brings what `count` operations need. */
  readonly prepare?: (count: number) => Promise<void>;
  /** One operation; no number comes twice. */
  readonly run: (number: number) => Promise<void>;
  /** Not timed: leaves the data as they were found. */
  readonly tidy?: () => Promise<void>;
  /** Orders that one operation decides together. Default: 1. */
  readonly orders?: number;
  /** Operations at a time, at most, where more would change what is measured. */
  readonly sliceMax?: number;
};

/** How much is measured. */
export type Effort = {
  /** Operations under way at once. */
  readonly callers: number;
  /** Slices of each contender, at least 1; those that warm it come first and are not counted. */
  readonly rounds: number;
  /** About how long one slice lasts. */
  readonly sliceMs: number;
  /** Longest warming of each contender, after its first slice; it ends once the rate is steady. */
  readonly warmMs: number;
  /** Operations of the first slice, at least one for each caller. Default: 32. */
  readonly firstOperations?: number | undefined;
};

/** One stretch of operations: orders per second, and the time of each operation. */
type Slice = {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  readonly orders: number;
  /** The cost of all of its orders together. */
  readonly spent: ProcessorMs;
};

/** All slices of a contender, in the order of the rounds. */
export type Measured = {
  readonly name: string;
  /** Orders that one operation decides together. */
  readonly orders: number;
  readonly slices: readonly Slice[];
  /** How long it was warmed; `warmMs` and more where its rate was not steady by then. */
  readonly warmedMs: number;
};

/** A median with its spread: the least and the most of all rounds. */
export type Figure = { readonly median: number; readonly least: number; readonly most: number };

/** More would only lengthen a slice whose calibration met a fast moment. */
const OPERATIONS_PER_SLICE_MAX = 20_000;

let numbers = 0;

/** Runs one operation of a contender, not timed. */
export async function tryOnce(contender: Contender): Promise<void> {
  await contender.prepare?.(1);
  await contender.run(numbers++);
  await contender.tidy?.();
}

/**
 * Measures contenders in turns: each round runs a slice of every one, and begins with another one
 * each time. A cause that all figures of a round share, such as a busy machine, cancels in their
 * ratio.
 */
export async function interleave(
  contenders: readonly Contender[],
  effort: Effort,
  meter: Meter,
): Promise<readonly Measured[]> {
  const warm = new Map<Contender, Warm>();
  for (const contender of contenders) warm.set(contender, await warmUp(contender, effort, meter));
  const slices = new Map<Contender, Slice[]>(contenders.map((contender) => [contender, []]));
  for (let round = 0; round < effort.rounds; round++) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const count = operationsFor(warm.get(contender)?.perSecond ?? 0, contender, effort);
      slices.get(contender)?.push(await runSlice(contender, count, effort.callers, meter));
    }
  }
  return contenders.map((contender) => ({
    name: contender.name,
    orders: contender.orders ?? 1,
    slices: slices.get(contender) ?? [],
    warmedMs: warm.get(contender)?.warmedMs ?? 0,
  }));
}

type Warm = { readonly perSecond: number; readonly warmedMs: number };

/** A rate is steady when so many stretches in a row were at most 5 % faster than the one before them. */
const STEADY_STRETCHES = 3;
const HARDLY_FASTER = 1.05;

/**
 * Runs a contender until its rate grows no more, or `warmMs` are over: without it, short slices measure how
 * fast V8 compiles what they run.
 */
async function warmUp(contender: Contender, effort: Effort, meter: Meter): Promise<Warm> {
  const first = calibrating(contender, effort);
  let { perSecond } = await runSlice(contender, first, effort.callers, meter);
  let known = perSecond;
  let warmedMs = 0;
  for (let steady = 0; steady < STEADY_STRETCHES && warmedMs < effort.warmMs;) {
    let [orders, tookMs] = [0, 0];
    // Where a slice is bounded by `sliceMax`, several of them are one stretch.
    while (tookMs < effort.sliceMs / 2) {
      const count = operationsFor(perSecond, contender, effort);
      const slice = await runSlice(contender, count, effort.callers, meter);
      orders += slice.orders;
      tookMs += (slice.orders * 1000) / slice.perSecond;
    }
    perSecond = (orders * 1000) / tookMs;
    warmedMs += tookMs;
    steady += 1;
    if (perSecond <= known * HARDLY_FASTER) continue;
    known = perSecond;
    steady = 0;
  }
  return { perSecond, warmedMs };
}

/** So many operations tell about how fast it is. */
function calibrating({ sliceMax = Infinity }: Contender, effort: Effort): number {
  return Math.min(sliceMax, Math.max(effort.firstOperations ?? 32, effort.callers));
}

function operationsFor(perSecond: number, contender: Contender, effort: Effort): number {
  const wanted = Math.ceil((perSecond * effort.sliceMs) / 1000 / (contender.orders ?? 1));
  const most = Math.min(OPERATIONS_PER_SLICE_MAX, contender.sliceMax ?? Infinity);
  // Every caller has two turns at least, so that the last ones, which run alone, weigh little.
  return Math.min(most, Math.max(2 * effort.callers, wanted));
}

async function runSlice(
  contender: Contender,
  count: number,
  callers: number,
  meter: Meter,
): Promise<Slice> {
  await contender.prepare?.(count);
  const latenciesMs: number[] = [];
  let left = count;
  const call = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const startedMs = performance.now();
      await contender.run(numbers++);
      latenciesMs.push(performance.now() - startedMs);
    }
  };
  const before = meter();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: callers }, call));
  const tookMs = performance.now() - startedMs;
  const spent = spentBetween(before, meter());
  const orders = count * (contender.orders ?? 1);
  await contender.tidy?.();
  return {
    perSecond: (orders * 1000) / tookMs,
    latenciesMs,
    orders,
    spent,
  };
}

/** Runs a task over all items, some at a time; for what is not timed. */
export async function spread<T>(
  items: readonly T[],
  callers: number,
  task: (item: T) => Promise<unknown>,
): Promise<void> {
  // One iterator for all: each caller takes the next item.
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) await task(item);
  };
  await Promise.all(Array.from({ length: callers }, work));
}

/** Lets at most so many calls of a task run at once; the others wait for their turn. */
export function atMost<Args extends readonly unknown[]>(
  most: number,
  task: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (...args) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      await task(...args);
    } finally {
      // The place goes to the next that waits, or is given up.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
