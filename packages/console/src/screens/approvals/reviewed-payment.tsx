import type { ProposalAnswer } from '@headroom-limits/client';
import { Given, Instant, OrderLink, Sentence } from '../../ui/text.tsx';
import { quantityText } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';

/** A payment above a maximum: how each rule stood when it was checked, and the sum that an approval lets it reach. */
export function ReviewedPayment({ answer }: { readonly answer: ProposalAnswer }) {
  const reading = useReading();
  const { say } = reading;
  const { order, refusals = [], currency, at, decided } = answer;
  if (order === undefined) return null;
  const money = quantityText({ amount: order.amount }, currency, reading);
  return (
    <>
      <p className="run">
        <OrderLink orderId={order.orderId} app={order.app} />
        <strong>{money}</strong>
        <Given text={order.app} />
        <span>
          {say('approvals.checked')} <Instant at={at} isShort />
        </span>
      </p>
      <ul className="why">
        {refusals.map(({ rule, sentence, upTo, currency: money = currency }) => (
          <li key={rule}>
            <Sentence text={sentence} />{' '}
            <strong>{say('approvals.reaches', { sum: quantityText(upTo, money, reading) })}</strong>
          </li>
        ))}
      </ul>
      {decided?.passesUntil !== undefined && (
        <p>
          {say('approvals.passesUntil')} <Instant at={decided.passesUntil} isShort />
        </p>
      )}
    </>
  );
}
