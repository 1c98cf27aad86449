import type { StatusAnswer } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { statusOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { FilterText } from '../ui/filter.tsx';
import { Happenings, useOutcomeText } from '../ui/happenings.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Code, Instant, Money, SubjectLinks } from '../ui/text.tsx';
import { amountText } from '../ui/written.ts';
import { useReading } from '../words/words.tsx';

/** One payment by its order id: its whole life. */
export function Screen() {
  const { say } = useReading();
  const [{ order = '', app = '' }] = useAsked();
  return (
    <>
      <div className="head">
        <h1>{order === '' ? say('payment.title') : <Code text={order} />}</h1>
        <FilterText name="app" label={say('payment.app')} />
      </div>
      {order === '' ? (
        <p className="lead">{say('payment.lead')}</p>
      ) : (
        <Found order={order} app={app} />
      )}
    </>
  );
}

function Found({ order, app }: { readonly order: string; readonly app: string }) {
  const { say, language } = useReading();
  const status = useQuery(
    statusOf(useSession(), { orderId: order, app: app || undefined, language }),
  );
  return (
    <Section title={say('payment.life')}>
      <Shown asked={status} lines={6} unaddressed={say('payment.unaddressed')}>
        {(answer) => <Life answer={answer} />}
      </Shown>
    </Section>
  );
}

function Life({ answer }: { readonly answer: StatusAnswer }) {
  const reading = useReading();
  const { say } = reading;
  const state = useOutcomeText(answer.state);
  if (answer.state === 'unknown') return <Empty>{say('payment.unknown')}</Empty>;
  return (
    <>
      <p className="summary">
        <strong>{state}</strong>
        <SubjectLinks subjects={answer.subjects ?? {}} />
        {answer.amount !== undefined && answer.currency !== 'XXX' && (
          <Money minor={answer.amount} currency={answer.currency} />
        )}
        {answer.refunded !== undefined && (
          <span>
            {say('payment.refundedOf', {
              refunded: amountText(answer.refunded, answer.currency, reading),
            })}
          </span>
        )}
        {answer.holdExpiresAt !== undefined && (
          <span>
            {say(answer.state === 'expired' ? 'payment.holdEnded' : 'payment.heldUntil')}{' '}
            <Instant at={answer.holdExpiresAt} />
          </span>
        )}
      </p>
      <Happenings
        label={say('payment.life')}
        rows={answer.history}
        columns={['time', 'operation', 'outcome', 'amount', 'refusedBy']}
        isOpen
      />
    </>
  );
}
