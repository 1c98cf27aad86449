import type { BacktestResult } from '../../lib/backtest/result.ts';
import { groupedBy } from '../../lib/shared/grouped.ts';
import { DAY_MS } from '../../lib/shared/bounds.ts';
import { bar } from '../chart/bars.ts';
import { numberText, tableText } from '../output.ts';

/** Lines of the chart: so many fit a screen. With more days, neighbours are put together. */
const LINES_MAX = 31;
const BAR_WIDTH = 20;

/** Refused checks of a day, or of some days together. */
type RefusedOfDays = { readonly from: string; readonly recorded: number; readonly draft: number };

/** The refused checks of each day from the first to the last that has checks, with knock-on; all currencies are added up. */
function refusedByDay({ currencies }: BacktestResult): readonly RefusedOfDays[] {
  const byDay = groupedBy(
    currencies.flatMap(({ knockOn }) => knockOn.byDay),
    ({ from }) => from,
  );
  const instants = [...byDay.keys()].map(Date.parse).sort((one, other) => one - other);
  const [firstMs = 0] = instants;
  const days = instants.length === 0 ? 0 : ((instants.at(-1) ?? 0) - firstMs) / DAY_MS + 1;
  return Array.from({ length: days }, (_day, place) => {
    const from = new Date(firstMs + place * DAY_MS).toISOString();
    const sum = (kind: 'recorded' | 'draft'): number =>
      (byDay.get(from) ?? []).reduce((total, day) => total + day[kind].refused, 0);
    return { from, recorded: sum('recorded'), draft: sum('draft') };
  });
}

/** A day begins when the first one does: `2026-09-30 16:00Z`. */
function nameOf(from: string): string {
  return `${from.slice(0, 16).replace('T', ' ')}Z`;
}

/** Puts neighbouring days together until there are few enough. */
function atMost(days: readonly RefusedOfDays[], most: number): readonly RefusedOfDays[] {
  const together = Math.ceil(days.length / most);
  return days.flatMap(({ from }, first) => {
    if (first % together !== 0) return [];
    const some = days.slice(first, first + together);
    const sum = (kind: 'recorded' | 'draft'): number =>
      some.reduce((total, day) => total + day[kind], 0);
    return [{ from, recorded: sum('recorded'), draft: sum('draft') }];
  });
}

/** Draws the refused checks of each day as bars: recorded beside draft. */
export function daysText(result: BacktestResult): string {
  const byDay = refusedByDay(result);
  const days = atMost(byDay, LINES_MAX);
  const most = Math.max(0, ...days.flatMap(({ recorded, draft }) => [recorded, draft]));
  if (most === 0) return '';
  const together = Math.ceil(byDay.length / LINES_MAX);
  const first = together === 1 ? 'refused by day, from' : `refused in ${together} days, from`;
  const columns = [
    { name: first },
    { name: 'recorded', isNumber: true },
    { name: '' },
    { name: 'draft', isNumber: true },
    { name: 'with knock-on' },
  ];
  const rows = days.map(({ from, recorded, draft }) => [
    nameOf(from),
    numberText(recorded),
    bar(recorded, most, BAR_WIDTH).padEnd(BAR_WIDTH),
    numberText(draft),
    bar(draft, most, BAR_WIDTH),
  ]);
  return tableText(columns, rows);
}

/** Writes that as SVG, every day. */
export async function writeDays(file: string, result: BacktestResult): Promise<void> {
  const days = refusedByDay(result);
  // It takes longer to load than a small test needs.
  const { writeSvg } = await import('../chart/svg.ts');
  const panel = {
    title: `Refused checks by day, from ${result.from}`,
    names: days.map(({ from }) => nameOf(from)),
    series: [
      { name: 'recorded', values: days.map(({ recorded }) => recorded) },
      { name: 'draft, with knock-on', values: days.map(({ draft }) => draft) },
    ],
    write: numberText,
  };
  writeSvg(file, { type: 'bar', panels: [panel] });
}
