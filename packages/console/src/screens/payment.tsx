import type { StatusAnswer, Subjects } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { statusOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { textIn, useAsked } from '../ui/asked.ts';
import { Happenings, useOutcomeText } from '../ui/happenings.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Code, Instant, Money, SubjectLink } from '../ui/text.tsx';
import { amountText } from '../ui/written.ts';
import { useReading } from '../words/words.tsx';

/** One payment by its order id: its whole life. */
export function Screen() {
  const { say } = useReading();
  const [{ order = '', app = '' }, change] = useAsked();
  return (
    <>
      <div className="head">
        <h1>{order === '' ? say('payment.title') : <Code text={order} />}</h1>
        <form
          key={`${order} ${app}`}
          role="search"
          className="find"
          onSubmit={(event) => {
            event.preventDefault();
            const given = new FormData(event.currentTarget);
            change({ order: textIn(given, 'order'), app: textIn(given, 'app') || undefined });
          }}
        >
          <label className="field">
            <span className="label">{say('payment.order')}</span>
            <input name="order" required maxLength={256} defaultValue={order} spellCheck={false} />
          </label>
          <label className="field narrow">
            <span className="label">{say('payment.app')}</span>
            <input
              name="app"
              maxLength={64}
              defaultValue={app}
              placeholder={say('field.optional')}
              spellCheck={false}
            />
          </label>
          <button type="submit" className="button primary">
            {say('field.search')}
          </button>
        </form>
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
    <div className="columns">
      <div>
        <Section title={say('payment.life')}>
          <Shown asked={status} lines={6} unaddressed={say('payment.unaddressed')}>
            {(answer) => <Life answer={answer} />}
          </Shown>
        </Section>
      </div>
      {status.data?.subjects !== undefined && (
        <div>
          <Section title={say('payment.documents')}>
            <Documents subjects={status.data.subjects} />
          </Section>
        </div>
      )}
    </div>
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

function Documents({ subjects }: { readonly subjects: Subjects }) {
  const { say } = useReading();
  return (
    <>
      <p className="fine">{say('payment.documentsHelp')}</p>
      <ul className="plain-list">
        {Object.entries(subjects).map(([kind, id]) => (
          <li key={kind}>
            <SubjectLink kind={kind} id={id} />
          </li>
        ))}
      </ul>
    </>
  );
}
