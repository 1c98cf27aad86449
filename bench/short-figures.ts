import type { Bytes } from './bytes.ts';
import type { ProcessorFigures } from './figures.ts';
import type { Figure } from './measure.ts';
import type { Results } from './measure-all.ts';
import type { Profile } from './profile.ts';

/** The ratios of a short run, for comparison with those of another day. */
export type ShortFigures = {
  readonly measuredAt: string;
  readonly engine: string;
  readonly ratios: Readonly<Record<string, Figure>>;
  /** Processor time of one order in milliseconds. */
  readonly costs: Readonly<Record<string, ProcessorFigures>>;
  readonly bytes: readonly Bytes[];
  readonly profiles: readonly Profile[];
};

/** Names every ratio of a run, and leaves out what depends on the machine alone. */
export function shortFigures({
  circumstances,
  throughput,
  bytes,
  profiles,
}: Results): ShortFigures {
  const compared = throughput.goals.map(
    ({ placement, callers, name, ratio }) =>
      [`${name}, ${placement}, ${callers} callers`, ratio] as const,
  );
  return {
    measuredAt: circumstances.measuredAt,
    engine: circumstances.engine,
    ratios: Object.fromEntries(compared.map(([name, one]) => [name, rounded(one)])),
    costs: Object.fromEntries(
      throughput.rows.map(({ contender, placement, callers, processorMs }) => [
        `${contender}, ${placement}, ${callers} callers`,
        processorMs,
      ]),
    ),
    bytes,
    profiles,
  };
}

function rounded({ median, least, most }: Figure): Figure {
  const round = (value: number): number => Number(value.toPrecision(3));
  return { median: round(median), least: round(least), most: round(most) };
}
