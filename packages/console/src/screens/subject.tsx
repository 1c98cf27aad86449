import type { Subject } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { usageOf } from '../data/queries.ts';
import { useMay } from '../data/rights.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { FrozenNotice } from '../ui/frozen.tsx';
import { Part } from '../ui/part.tsx';
import { Code } from '../ui/text.tsx';
import { useReading } from '../words/words.tsx';
import { WaitingChanges } from './approvals/waiting-changes.tsx';
import { Decisions } from './subject/decisions.tsx';
import { Limits } from './subject/limits.tsx';
import { Unseen } from './subject/unseen.tsx';
import { OwnTerms } from './subject/own-terms.tsx';
import { TermsHistory } from './subject/terms-history.tsx';
import { UseOverDays } from './subject/use-over-days.tsx';

const ChangeDialog = lazy(() => import('./subject/change-dialog.tsx'));

/** One subject: how its limits stand, what happened, and what it has of its own. */
export function Screen() {
  const { say } = useReading();
  const [{ kind = '', id = '' }] = useAsked();
  const isAsked = kind !== '' && id !== '';
  return (
    <>
      <div className="head">
        {isAsked ? (
          <div className="named">
            <h1>
              <span className="kind">{kind}</span> <Code text={id} />
            </h1>
            <Freeze subject={{ kind, id }} />
          </div>
        ) : (
          <h1>{say('subject.title')}</h1>
        )}
      </div>
      {isAsked ? <Found subject={{ kind, id }} /> : <p className="lead">{say('subject.lead')}</p>}
    </>
  );
}

/** Stops every payment of a subject, or ends that. */
function Freeze({ subject }: { readonly subject: Subject }) {
  const { say } = useReading();
  const { data } = useQuery(usageOf(useSession(), subject));
  const [, change] = useAsked();
  const mayChange = useMay('subjects:write');
  if (data === undefined || !mayChange) return null;
  const isFrozen = data.frozen.length > 0;
  return (
    <button
      type="button"
      className={isFrozen ? 'button small' : 'button small danger'}
      onClick={() => {
        change({ do: isFrozen ? 'unfreeze' : 'freeze' });
      }}
    >
      {say(isFrozen ? 'terms.unfreeze' : 'terms.freeze')}
    </button>
  );
}

function Found({ subject }: { readonly subject: Subject }) {
  const session = useSession();
  const usage = useQuery(usageOf(session, subject));
  const [{ do: wish }] = useAsked();
  // How limits stand comes first: nothing else is asked before it is there, or where it cannot be.
  const isAnswered = usage.data !== undefined;
  return (
    <>
      {usage.data?.frozen.map(({ reason, until }) => (
        <FrozenNotice key={reason} reason={reason} until={until} />
      ))}
      {usage.data !== undefined && <Unseen subject={subject} usage={usage.data} />}
      {isAnswered && (
        <WaitingChanges isMeant={(proposal) => proposal.subject?.[subject.kind] === subject.id} />
      )}
      <Limits usage={usage} />
      {isAnswered && (
        <>
          <UseOverDays subject={subject} rules={usage.data.rules} />
          <div className="columns">
            <Decisions subject={subject} />
            <div>
              <OwnTerms subject={subject} />
              <TermsHistory subject={subject} />
            </div>
          </div>
        </>
      )}
      {wish !== undefined && (
        <Part>
          <ChangeDialog subject={subject} />
        </Part>
      )}
    </>
  );
}
