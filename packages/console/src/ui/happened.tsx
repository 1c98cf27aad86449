import type { HistoryRow, Subjects } from '@headroom-limits/client';
import { useReading } from '../words/words.tsx';
import { Given, Instant, OrderLink, Sentence, SubjectLinks } from './text.tsx';
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

/** One thing that happened to an order, with why in sentences. */
export function Happened({
  row,
  order,
  subjects,
  zone,
}: {
  readonly row: HistoryRow;
  /** Where the page is about a day of it. */
  readonly zone?: string;
  /** Where the page is not about it. */
  readonly order?: { readonly orderId: string; readonly app: string };
  /** Where the page is about several. */
  readonly subjects?: Subjects;
}) {
  const { say } = useReading();
  const tone = TONES[row.outcome] ?? (/^[A-Z_]+$/.test(row.outcome) ? 'over' : 'back');
  // A check says what it was allowed, which stays true when the hold is over.
  const isCheck = row.operation === 'check' && row.outcome === 'held';
  const outcome = useOutcomeText(isCheck ? 'allowed' : row.outcome);
  return (
    <li className={`happening ${tone}`}>
      <div className="happening-head">
        <span className={`state ${tone}`}>{outcome}</span>
        <span className="what">{say(`operation.${row.operation}`)}</span>
        <Sum row={row} />
        <span className="fine">
          <Instant at={row.at} zone={zone} />
        </span>
      </div>
      {(order !== undefined || subjects !== undefined) && (
        <p className="run">
          {subjects !== undefined && <SubjectLinks subjects={subjects} />}
          {order !== undefined && <OrderLink orderId={order.orderId} app={order.app} />}
        </p>
      )}
      <Why row={row} />
    </li>
  );
}

/** How much it was about: an amount, and a number where it is not one payment. */
function Sum({ row: { amount, count, currency } }: { readonly row: HistoryRow }) {
  const reading = useReading();
  const isMoney = currency !== 'XXX';
  const sums = {
    ...(amount !== undefined && isMoney ? { amount } : {}),
    ...(count !== undefined && (count !== 1 || !isMoney) ? { count } : {}),
  };
  if (Object.keys(sums).length === 0) return null;
  return <strong className="figure">{quantityText(sums, currency, reading)}</strong>;
}

function Why({ row }: { readonly row: HistoryRow }) {
  const { say } = useReading();
  const { refusals = [], frozen = [], violations = [], reason } = row;
  const isTold = refusals.length > 0 || frozen.length > 0;
  return (
    <>
      {isTold && (
        <ul className="why">
          {frozen.map(({ sentence }) => (
            <li key={sentence}>
              <Sentence text={sentence} />
            </li>
          ))}
          {refusals.map(({ rule, sentence }) => (
            <li key={rule}>
              <Sentence text={sentence} />
            </li>
          ))}
        </ul>
      )}
      {!isTold && violations.length > 0 && (
        <p className="why">
          <Given text={violations.join(', ')} />
        </p>
      )}
      {!isTold && row.operation === 'check' && reason === 'no-rule' && (
        <p className="why">{say('reason.no-rule')}</p>
      )}
      {row.operation !== 'check' && reason !== undefined && (
        <p className="fine">
          {say('field.reason')}: <Given text={reason} />
        </p>
      )}
      {row.reasonCode !== undefined && (
        <p className="fine">
          {say('field.reasonCode')}: <Given text={row.reasonCode} />
        </p>
      )}
      {row.late === true && <p className="fine">{say('payment.late')}</p>}
      {row.happenedAt !== undefined && (
        <p className="fine">
          {say('payment.paid')} <Instant at={row.happenedAt} />
        </p>
      )}
    </>
  );
}
