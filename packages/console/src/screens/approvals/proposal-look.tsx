import type { ProposalAnswer, RuleChange, StoredRule } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { mayBeSame } from '../../../../../lib/shared/actor.ts';
import { callerOf, proposalOf } from '../../data/queries.ts';
import { useMay } from '../../data/rights.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { EffectText } from '../../ui/effect.tsx';
import { FrozenNotice } from '../../ui/frozen.tsx';
import { EffectOverTime } from '../../ui/effect-over-time.tsx';
import { Diff, Request } from '../../ui/diff.tsx';
import { Shown } from '../../ui/panel.tsx';
import { Code, Given, Instant } from '../../ui/text.tsx';
import { spanText } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';
import { ruleAfter } from './proposal-columns.tsx';
import { ReviewedPayment } from './reviewed-payment.tsx';

/** One proposal: what it would change now, and the decisions that this person may take. */
export function ProposalLook({ id }: { readonly id: string }) {
  const { language } = useReading();
  const found = useQuery(proposalOf(useSession(), id, language));
  return (
    <div className="look">
      <Shown asked={found} lines={4}>
        {(answer) => <Look answer={answer} />}
      </Shown>
    </div>
  );
}

function Look({ answer }: { readonly answer: ProposalAnswer }) {
  const { say } = useReading();
  const isOpen = answer.state === 'open';
  return (
    <>
      <h3>
        {say(
          answer.about === 'order'
            ? 'approvals.wouldPass'
            : isOpen
              ? 'approvals.would'
              : 'approvals.was',
        )}
      </h3>
      {answer.refused !== null && (
        <div className="notice failed" role="alert">
          <p>
            <strong>{say('approvals.refused')}:</strong> <Given text={answer.refused.detail} />
          </p>
          <p className="fine">{answer.refused.code}</p>
        </div>
      )}
      <FrozenMeanwhile answer={answer} />
      <LookAlikes answer={answer} />
      <Change answer={answer} />
      {isOpen && (
        <>
          <p className="fine">
            {say('approvals.decideBy')} <Instant at={answer.until} isShort />
          </p>
          <Decisions answer={answer} />
        </>
      )}
    </>
  );
}

/** Two names that look the same may be one person, who would decide alone. */
export function LookAlikes({ answer: { lookAlikes } }: { readonly answer: ProposalAnswer }) {
  const { say } = useReading();
  if (lookAlikes.length === 0) return null;
  return (
    <div className="notice" role="alert">
      <p>
        <strong>{say('approvals.lookAlike')}</strong>
      </p>
      {lookAlikes.map(({ person, letter, looksLike }) => (
        <p key={`${person} ${letter}`} className="fine">
          <Given text={say('approvals.lookAlikeLetter', { person, letter, looksLike })} />
        </p>
      ))}
    </div>
  );
}

/** What a proposal changes, and what is true afterwards. */
export function Change({ answer }: { readonly answer: ProposalAnswer }) {
  if (answer.about === 'order') return <ReviewedPayment answer={answer} />;
  return answer.about === 'terms' ? <TermsDiff answer={answer} /> : <RulesDiff answer={answer} />;
}

/** The subject of an open change is frozen: a maximum decides nothing until that ends. */
export function FrozenMeanwhile({ answer }: { readonly answer: ProposalAnswer }) {
  const { terms, operation } = answer;
  const isOfFreeze = operation === 'freeze' || operation === 'unfreeze';
  if (isOfFreeze || terms?.freeze?.inForce !== true) return null;
  return <FrozenNotice {...terms.freeze} />;
}

function Decisions({ answer: { by } }: { readonly answer: ProposalAnswer }) {
  const { say } = useReading();
  const caller = useQuery(callerOf(useSession()));
  const [, change] = useAsked();
  const mayApprove = useMay('approve');
  if (caller.data === undefined) return null;
  const isOwn = mayBeSame(caller.data.by, by);
  const wishes = isOwn
    ? (['withdraw'] as const)
    : mayApprove
      ? (['approve', 'reject'] as const)
      : [];
  return (
    <>
      {isOwn && <p className="fine">{say('approvals.own')}</p>}
      <p className="dialog-end">
        {wishes.map((wish) => (
          <button
            key={wish}
            type="button"
            className={wish === 'approve' ? 'button primary' : 'button'}
            onClick={() => {
              change({ decide: wish });
            }}
          >
            {say(`approvals.${wish}`)}
          </button>
        ))}
      </p>
    </>
  );
}

/** What an open proposal does now and later, as the server works it out; of any other what was asked for. */
function TermsDiff({ answer }: { readonly answer: ProposalAnswer }) {
  const { say, locale } = useReading();
  const { effect, asked, operation, currency } = answer;
  const { effectiveAfter: after } = asked as { readonly effectiveAfter?: string | null };
  const span = typeof after === 'string' ? spanText(after, locale) : undefined;
  if (effect !== null)
    return (
      <>
        {span !== undefined && <p>{say('approvals.delay', { span })}</p>}
        <EffectOverTime effect={effect} />
      </>
    );
  const isFreeze = operation === 'freeze' || operation === 'unfreeze';
  const frozen = say(operation === 'freeze' ? 'diff.frozen' : 'diff.notFrozen');
  const wish = operation === 'endOverride' ? { max: say('terms.ruleOwn') } : asked;
  return (
    <Request
      currency={currency}
      asked={isFreeze ? { freeze: frozen, until: asked.until } : { ...wish, effectiveAfter: span }}
    />
  );
}

/** What each change of rules does to the rule, and to its sum; or else what was asked for. */
function RulesDiff({ answer }: { readonly answer: ProposalAnswer }) {
  const { asked, changes } = answer;
  const rules = [asked.rule, asked.rules].flat().filter((each) => each !== undefined);
  const after = rules as unknown as readonly StoredRule[]; // of the call `rules`
  if (changes === null)
    return after.map((rule) => <Request key={rule.id} asked={rule} currency={rule.currency} />);
  // Each is a change as its answer has it, with the rule before.
  return changes.map((each) => {
    const id = typeof each.id === 'string' ? each.id : (answer.rule ?? '');
    const fresh = ruleAfter(answer, id);
    const before = each.before as StoredRule | null;
    return (
      <div key={id}>
        <p className="run">
          <Code text={id} />
          {typeof each.says === 'string' && <EffectText change={each as unknown as RuleChange} />}
        </p>
        <Diff before={before} after={fresh} />
      </div>
    );
  });
}
