import type { Figure, Measured } from './measure.ts';
import type { ProcessorMs } from './processor-time.ts';

/** The median of rounds, with the least and the most. */
function figureOf(values: readonly number[]): Figure {
  const sorted = values.toSorted((left, right) => left - right);
  return { median: quantile(sorted, 0.5), least: sorted[0] ?? NaN, most: sorted.at(-1) ?? NaN };
}

/** The value below which a share of the sorted values lies; the middle of two for an even median. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Operations per second, over the rounds. */
export function throughput(measured: Measured): Figure {
  return figureOf(measured.slices.map(({ perSecond }) => perSecond));
}

/** How many times as fast as another contender, round by round. */
export function ratio(measured: Measured, base: Measured): Figure {
  return figureOf(
    measured.slices.map(({ perSecond }, round) => {
      const other = base.slices[round]?.perSecond;
      if (other === undefined) throw new RangeError(`${base.name} lacks round ${round}`);
      return perSecond / other;
    }),
  );
}

/** A quantile of the time of one operation, over all rounds, in milliseconds. */
export function latencyMs(measured: Measured, share: number): number {
  const all = measured.slices.flatMap(({ latenciesMs }) => latenciesMs);
  return quantile(
    all.toSorted((left, right) => left - right),
    share,
  );
}

/** A quantile of the time of one operation, round by round, in milliseconds. */
export function latencyMsOf(measured: Measured, share: number): Figure {
  return figureOf(
    measured.slices.map(({ latenciesMs }) =>
      quantile(
        latenciesMs.toSorted((left, right) => left - right),
        share,
      ),
    ),
  );
}

/** Processor time of one order, in milliseconds; what could not be metered is absent. */
export type ProcessorFigures = ProcessorMs;

/** The processor time of one order, over all rounds: slices are too short for the system's clock of it. */
export function processorFigures({ slices }: Measured): ProcessorFigures {
  const orders = slices.reduce((sum, slice) => sum + slice.orders, 0);
  const perOrder = (part: keyof ProcessorMs): number | undefined => {
    const spent = slices.map((slice) => slice.spent[part]);
    return spent.every((ms) => ms !== undefined)
      ? spent.reduce((sum, ms) => sum + ms, 0) / orders
      : undefined;
  };
  const [adapter, engine] = [perOrder('adapter'), perOrder('engine')];
  return {
    client: perOrder('client') ?? NaN,
    ...(adapter === undefined ? {} : { adapter }),
    ...(engine === undefined ? {} : { engine }),
  };
}

/** How many times the processor time of another contender the client spends on one order, over all rounds. */
export function clientRatio(measured: Measured, base: Measured): number {
  return processorFigures(measured).client / processorFigures(base).client;
}
