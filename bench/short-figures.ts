import type { Figure } from './measure.ts';
import type { Results } from './measure-all.ts';

/** The ratios of a short run, for comparison with those of another day. */
export type ShortFigures = {
  readonly measuredAt: string;
  readonly engine: string;
  readonly ratios: Readonly<Record<string, Figure>>;
};

/** Names every ratio of a run, and leaves out what depends on the machine alone. */
export function shortFigures({ circumstances, throughput, growth }: Results): ShortFigures {
  const compared = throughput.goals.map(
    ({ placement, callers, name, ratio }) =>
      [`${name}, ${placement}, ${callers} callers`, ratio] as const,
  );
  const grown = growth.flatMap(({ what, points }) =>
    points.map(({ size, toFloor }) => [`time of a check, ${size} ${what}`, toFloor] as const),
  );
  return {
    measuredAt: circumstances.measuredAt,
    engine: circumstances.engine,
    ratios: Object.fromEntries([...compared, ...grown].map(([name, one]) => [name, rounded(one)])),
  };
}

function rounded({ median, least, most }: Figure): Figure {
  const round = (value: number): number => Number(value.toPrecision(3));
  return { median: round(median), least: round(least), most: round(most) };
}
