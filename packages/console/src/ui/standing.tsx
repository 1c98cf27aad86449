import type { Quantity, RuleUsage } from '@headroom-limits/client';
import type { ReactNode } from 'react';
import type { Reading } from '../words/words.tsx';
import { Bar } from './bar.tsx';
import type { Column } from './listing.tsx';
import { RuleLink } from './text.tsx';
import { amountText, windowText } from './written.ts';

/** How a rule stands: for a subject, or for a payment. */
type Standing = Pick<RuleUsage, 'rule' | 'title' | 'max' | 'maxBy' | 'used' | 'held'> &
  Partial<Pick<RuleUsage, 'window' | 'distinct'>>;

type Sum = keyof Quantity;

/** The share from which little of a maximum is left. */
export const NEAR = 0.8;

type Of<Row> = {
  readonly currency: (row: Row) => string | undefined;
  readonly tone: (row: Row) => string;
  /** How the rule answers, where that is worth a word. */
  readonly state: (row: Row) => ReactNode;
  /** How much the payment asks for. */
  readonly asked?: Quantity;
};

/** The columns of how rules stand. A rule that limits amount and count has a line for each. */
export function standingColumns<Row extends Standing>(
  reading: Reading,
  of: Of<Row>,
): readonly Column<Row>[] {
  const { say, language } = reading;
  return [
    {
      id: 'limit',
      header: say('limit.limit'),
      cell: (row) => (
        <span className="run">
          <RuleLink id={row.rule} title={row.title?.[language] ?? row.title?.en} />
          {of.state(row)}
        </span>
      ),
    },
    {
      id: 'taken',
      header: say('limit.taken'),
      cell: (row) =>
        linesOf(row, (sum, max) => {
          if (max === undefined || (row.used ?? of.asked) === undefined) return undefined;
          const [used, held] = [row.used?.[sum] ?? 0, row.held?.[sum] ?? 0];
          // Whether its value is there already, only the outcome says.
          const more = row.distinct === undefined ? of.asked?.[sum] : undefined;
          const [share, asked] = [shareIn(row, sum), more ?? 0];
          // Of amount and count one may be nearly taken, and the other not.
          const isTold = share >= NEAR || used + held + asked > max;
          return (
            <Bar
              name={`${row.rule} ${say(`field.${sum}`)}`}
              {...{ used, held, asked, max }}
              tone={isTold ? of.tone(row) : 'well'}
              share={share}
            />
          );
        }),
    },
    ...figureColumns(reading, of),
  ];
}

function figureColumns<Row extends Standing>(
  reading: Reading,
  of: Of<Row>,
): readonly Column<Row>[] {
  const { say } = reading;
  const figure = (row: Row, sum: Sum, value: number): string =>
    sum === 'amount'
      ? amountText(value, of.currency(row), reading)
      : new Intl.NumberFormat(reading.locale).format(value);
  const column = (
    id: 'used' | 'held' | 'left' | 'of',
    line: (row: Row, sum: Sum, max: number | undefined) => ReactNode,
  ): Column<Row> => ({
    id,
    header: say(`limit.${id}`),
    isFigure: true,
    cell: (row) => linesOf(row, (sum, max) => line(row, sum, max)),
  });
  const taken = (id: 'used' | 'held'): Column<Row> =>
    column(id, (row, sum) => {
      const sums: Quantity | undefined = row[id];
      return sums && figure(row, sum, sums[sum] ?? 0);
    });
  return [
    taken('used'),
    taken('held'),
    column('left', (row, sum, max) => {
      if (max === undefined || row.used === undefined) return undefined;
      const left = max - (row.used[sum] ?? 0) - (row.held?.[sum] ?? 0);
      return <span className={left < 0 ? 'wrong' : undefined}>{figure(row, sum, left)}</span>;
    }),
    column('of', (row, sum, max) => (
      <>
        {max !== undefined &&
          (sum === 'amount' ? figure(row, sum, max) : countedText(row, max, reading))}{' '}
        {row.window !== undefined && sum === sumsOf(row)[0] && (
          <span className="fine">{windowText(row.window, reading)}</span>
        )}
      </>
    )),
  ];
}

/** So many payments, or different values. */
function countedText({ distinct: name }: Standing, count: number, { say }: Reading): string {
  return name === undefined
    ? say('limit.payments', { count })
    : say('limit.different', { count, name });
}

/** A line for each sum that a rule limits; nothing where none has anything to say. */
function linesOf(row: Standing, line: (sum: Sum, max: number | undefined) => ReactNode): ReactNode {
  const told = sumsOf(row).map((sum) => [sum, line(sum, row.max[sum])] as const);
  if (told.every(([, content]) => content === undefined)) return null;
  return told.map(([sum, content]) => (
    <div key={sum} className={sum === fullest(row) ? 'line' : 'line less'}>
      {content}
    </div>
  ));
}

/** What a rule limits, though nobody may know how far. */
function sumsOf({ max, maxBy = {} }: Standing): readonly Sum[] {
  return (['amount', 'count'] as const).filter((sum) => (max[sum] ?? maxBy[sum]) !== undefined);
}

/** How much of a maximum is used and held, of amount or count the larger: 1 is all of it. */
export function takenShare(row: Standing): number {
  return shareIn(row, fullest(row));
}

/** The sum of which most is taken: what refuses first. */
function fullest(row: Standing): Sum {
  const [first = 'amount', second = first] = sumsOf(row);
  return shareIn(row, second) > shareIn(row, first) ? second : first;
}

function shareIn({ max, used = {}, held = {} }: Standing, sum: Sum): number {
  const [taken, most] = [(used[sum] ?? 0) + (held[sum] ?? 0), max[sum]];
  if (most === undefined) return 0;
  return most > 0 ? Math.max(0, taken / most) : taken < 0 ? 0 : 1;
}
