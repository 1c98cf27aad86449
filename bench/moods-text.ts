import { nameIn } from './builds.ts';
import { shown, table } from './markdown.ts';
import type { Results } from './measure-all.ts';
import type { Ends } from './measure.ts';
import { MOODS } from './moods.ts';

/** How a hot document fares in each of its moods. */
export function moodsText({ throughput, circumstances }: Results): readonly string[] {
  const found = throughput.rows.filter(({ placement }) => placement === 'mood');
  if (found.length === 0) return [];
  const { beside } = circumstances;
  const revisions = [{}, ...(beside === undefined ? [] : [{ revision: beside }])];
  const names = MOODS.flatMap((mood) => revisions.map((build) => nameIn(build, mood)));
  const callers = [...new Set(found.map((row) => row.callers))];
  const rows = callers.flatMap((many) =>
    names.flatMap((name) => {
      const row = found.find((one) => one.callers === many && one.contender === name);
      if (row === undefined) return [];
      const { perSecond, medianMs, ends } = row;
      const allowed = Math.round(perSecond.median * shareOf('allowed', ends));
      return [
        [String(many), name, shown(perSecond), String(allowed), shown(medianMs), endsText(ends)],
      ];
    }),
  );
  return [
    '## One hot document in four moods',
    '',
    'Checks a second of one document. **Ordinary**: as many fit as come. **Nearly full**: 30 orders fit, and each is rolled back at once. **Expiring**: holds of 2 s that nobody settles. **Exact**: a rolling window of a minute with at most 100 payments, each rolled back at once. A rollback is part of the call. A check is *undecided* when it is given up because too many met.',
    '',
    'A refused check is over after one look; one that is allowed writes, and is rolled back. So compare what was allowed a second before what was checked.',
    '',
    ...table(
      [
        'callers',
        'contender',
        'checks a second',
        'allowed a second',
        'p50 ms',
        'allowed, refused, undecided',
      ],
      rows,
    ),
    '',
  ];
}

/** Shares of all, in per cent. */
function endsText(ends: Ends = {}): string {
  const shares = Object.keys(ends).map((end) => Math.round(shareOf(end, ends) * 1000) / 10);
  return shares.map((share) => `${share} %`).join(', ');
}

function shareOf(end: string, ends: Ends = {}): number {
  const all = Object.values(ends).reduce((sum, count) => sum + count, 0);
  return (ends[end] ?? 0) / all;
}
