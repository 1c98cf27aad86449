import type { HistoryRow, Transaction } from '@headroom-limits/client';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { AnyWord, Reading, Say } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';
import type { Column } from './listing.tsx';
import { Listing } from './listing.tsx';
import { Given, Instant, OrderLink, RuleLink, Sentence, SubjectLinks } from './text.tsx';
import { quantityText } from './written.ts';

/** How an outcome looks. A sign stands beside the colour. */
const TONES: Readonly<Record<string, 'well' | 'over' | 'held' | 'back'>> = {
  held: 'held',
  confirmed: 'well',
  refused: 'over',
  rolledBack: 'back',
  refunded: 'back',
  partlyRefunded: 'back',
};

const OUTCOMES = [
  ...(['held', 'allowed', 'confirmed', 'rolledBack', 'refunded', 'partlyRefunded'] as const),
  ...(['refused', 'expired', 'late', 'unknown'] as const),
];

/** The word for how an order, or a call about it, ended. */
export function useOutcomeText(outcome: string): string {
  const { say } = useReading();
  const known = OUTCOMES.find((each) => each === outcome);
  return known === undefined ? outcome : say(`outcome.${known}`);
}

/** What happened to an order; of a page about one order, without what all its rows have. */
type Happening = HistoryRow & Partial<Pick<Transaction, 'orderId' | 'app' | 'subjects' | 'type'>>;

/** What happened to orders: a line each, which opens to the reasons. */
export function Happenings({
  label,
  rows,
  columns,
  zone,
  isOpen = false,
}: {
  readonly label: string;
  readonly rows: readonly Happening[];
  readonly columns: readonly Told[];
  /** Where the page is about a day of it. */
  readonly zone?: string;
  /** All reasons are shown. */
  readonly isOpen?: boolean;
}) {
  const reading = useReading();
  const [open, setOpen] = useState(new Set<string>());
  const { say } = reading;
  const isShown = (row: Happening): boolean => isOpen || open.has(keyOf(row));
  const turn = (key: string): void => {
    const now = new Set(open);
    if (!now.delete(key)) now.add(key);
    setOpen(now);
  };
  const toggle: Column<Happening> = {
    id: 'open',
    header: '',
    cell: (row) =>
      whyOf(row, say).length > 0 && (
        <button
          type="button"
          className="plain"
          aria-expanded={isShown(row)}
          onClick={() => {
            turn(keyOf(row));
          }}
        >
          {say('happened.why')}
        </button>
      ),
  };
  const all = columnsIn(reading, zone);
  return (
    <Listing
      label={label}
      columns={[...columns.map((id) => all[id]), ...(isOpen ? [] : [toggle])]}
      rows={rows}
      keyOf={keyOf}
      noteOf={(row) => {
        const why = isShown(row) ? whyOf(row, say) : [];
        if (why.length === 0) return undefined;
        return (
          <ul className="why">
            {why.map((each, index) => (
              <li key={index}>{each}</li>
            ))}
          </ul>
        );
      }}
    />
  );
}

/** A call has one row, or one for each of its orders. */
const keyOf = ({ requestId, orderId, at, operation, refundId }: Happening): string =>
  [requestId, orderId, at, operation, refundId].join(' ');

type Told = keyof ReturnType<typeof columnsIn>;

function columnsIn(reading: Reading, zone: string | undefined) {
  const { say } = reading;
  const column = (
    id: string,
    header: string,
    cell: Column<Happening>['cell'],
    isFigure = false,
  ): Column<Happening> => ({ id, header, cell, isFigure });
  return {
    time: column('time', say('happened.time'), ({ at }) => <Instant at={at} zone={zone} />),
    operation: column('operation', say('happened.call'), ({ operation }) =>
      say(`operation.${operation}`),
    ),
    outcome: column('outcome', say('happened.outcome'), (row) => <Outcome row={row} />),
    amount: column('amount', say('field.amount'), (row) => partText(row, reading), true),
    app: column('app', say('payment.app'), ({ app = '' }) => <Given text={app} />),
    type: column('type', say('field.type'), ({ type = '' }) => <Given text={type} />),
    subjects: column('subjects', say('field.subjects'), ({ subjects = {} }) => (
      <SubjectLinks subjects={subjects} />
    )),
    order: column('order', say('payment.order'), ({ orderId = '', app = '' }) => (
      <OrderLink orderId={orderId} app={app} />
    )),
    refusedBy: column('refused-by', say('happened.refusedBy'), (row) => (
      <span className="run">
        {(row.violations ?? []).map((rule) => (
          <RuleLink key={rule} id={rule} />
        ))}
        {row.operation === 'check' && row.reason !== undefined && reasonText(row.reason, say)}
      </span>
    )),
  };
}

/** Why a check may be refused that no rule refused. */
export const REASONS = ['no-rule', 'frozen'] as const;

/** Such a reason, in words. */
export function reasonText(reason: string, say: Say): string {
  const known = REASONS.find((each) => each === reason);
  return known === undefined ? reason : say(`refusals.reason.${known}`);
}

function Outcome({ row }: { readonly row: Happening }) {
  const tone = TONES[row.outcome] ?? (/^[A-Z_]+$/.test(row.outcome) ? 'over' : 'back');
  // A check says what it was allowed, which stays true when the hold is over.
  const isCheck = row.operation === 'check' && row.outcome === 'held';
  const outcome = useOutcomeText(isCheck ? 'allowed' : row.outcome);
  return <span className={`state ${tone}`}>{outcome}</span>;
}

/** How much it was about; of an order that takes what fits what it asked for, too. */
function partText(row: Happening, reading: Reading): string {
  const { amount, asked, outcome } = row;
  const part = sumText(row, reading);
  if (asked === undefined || asked === amount) return part;
  const whole = sumText({ ...row, amount: asked }, reading);
  return reading.say(outcome === 'refused' ? 'part.least' : 'part.of', { part, whole });
}

/** How much it was about: an amount, and a number where it is not one payment. */
function sumText({ amount, count, currency }: Happening, reading: Reading): string {
  const isMoney = currency !== 'XXX';
  const sums = {
    ...(amount !== undefined && isMoney ? { amount } : {}),
    ...(count !== undefined && (count > 1 || !isMoney) ? { count } : {}),
  };
  return Object.keys(sums).length === 0 ? '' : quantityText(sums, currency, reading);
}

/** What a line does not say. */
function whyOf(row: Happening, say: Say): readonly ReactNode[] {
  const { operation, reason, reasonCode, late, happenedAt, refusals = [], frozen = [] } = row;
  const isCheck = operation === 'check';
  const given = (word: AnyWord, text: string): ReactNode => (
    <>
      {say(word)}: <Given text={text} />
    </>
  );
  return [
    ...[...frozen, ...refusals].map(({ sentence }) => <Sentence key={sentence} text={sentence} />),
    isCheck && reason === 'no-rule' && say('reason.no-rule'),
    !isCheck && reason !== undefined && given('field.reason', reason),
    reasonCode !== undefined && given('field.reasonCode', reasonCode),
    late === true && say('payment.late'),
    happenedAt !== undefined && (
      <>
        {say('payment.paid')} <Instant at={happenedAt} />
      </>
    ),
  ].filter((each) => each !== false);
}
