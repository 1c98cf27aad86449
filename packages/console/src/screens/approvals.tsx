import type { Proposal } from '@headroom-limits/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { proposalOf, proposalsOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { askedText, EffectSpan } from '../ui/effect-over-time.tsx';
import { FilterChoice } from '../ui/filter.tsx';
import { ListEnd } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Part } from '../ui/part.tsx';
import { Given, Instant, personOf, SubjectLinks } from '../ui/text.tsx';
import type { Say } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';
import { ProposalLook } from './approvals/proposal-look.tsx';

const DecisionDialog = lazy(() => import('./approvals/decision-dialog.tsx'));

const STATES = ['open', 'approved', 'rejected', 'withdrawn', 'expired'] as const;

/** Changes that wait for a second person. */
export function Screen() {
  const { say } = useReading();
  const [{ state: asked = 'open', open, decide }, change] = useAsked();
  const state = STATES.find((each) => each === asked);
  const found = useInfiniteQuery(proposalsOf(useSession(), state));
  return (
    <>
      <div className="head">
        <h1>{say('approvals.title')}</h1>
      </div>
      <p className="lead">{say('approvals.lead')}</p>
      <Section
        title={say(state === undefined ? 'approvals.all' : `approvals.${state}`)}
        aside={
          <FilterChoice
            {...{ name: 'state', first: 'open', resets: { open: undefined } }}
            label={say('field.state')}
            options={[...STATES, 'all' as const].map((each) => [each, say(`approvals.${each}`)])}
          />
        }
      >
        <Shown asked={found} lines={4}>
          {({ pages }) => {
            const told = pages.flatMap(({ proposals }) => proposals);
            const isElsewhere = open !== undefined && !told.some(({ id }) => id === open);
            return (
              <>
                {isElsewhere && <ProposalLook id={open} />}
                {told.length === 0 ? (
                  <Empty>
                    {say(state === 'open' ? 'approvals.empty' : 'approvals.emptyState')}
                  </Empty>
                ) : (
                  <>
                    <ul className="terms">
                      {told.map((proposal) => (
                        <OneProposal
                          key={proposal.id}
                          proposal={proposal}
                          isOpen={proposal.id === open}
                          onOpen={(isOpen) => {
                            change({ open: isOpen ? proposal.id : undefined });
                          }}
                        />
                      ))}
                    </ul>
                    <ListEnd asked={found} count={told.length} />
                  </>
                )}
              </>
            );
          }}
        </Shown>
      </Section>
      {decide !== undefined && open !== undefined && (
        <Part>
          <DecisionDialog id={open} />
        </Part>
      )}
    </>
  );
}

/** What a proposal is about, in a few words. */
export function aboutText({ operation, rule }: Proposal, say: Say): string {
  return say(`approvals.operation.${operation}`, { rule });
}

/** When an open change would begin and end; of one that ends another, it begins now and has no end. */
function Span({ proposal: { id, state, operation } }: { readonly proposal: Proposal }) {
  const hasSpan = state === 'open' && (operation === 'override' || operation === 'freeze');
  const { data } = useQuery({ ...proposalOf(useSession(), id), enabled: hasSpan });
  const effect = data?.effect ?? undefined;
  return hasSpan && effect !== undefined ? <EffectSpan effect={effect} /> : null;
}

function OneProposal({
  proposal,
  isOpen,
  onOpen,
}: {
  readonly proposal: Proposal;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}) {
  const reading = useReading();
  const { say } = reading;
  const { subject, reason, by, at, until, state, decided, max, currency } = proposal;
  return (
    <li>
      <div className="term-head">
        <strong>{aboutText(proposal, say)}</strong>
        {max !== undefined && (
          <strong className="figure">{askedText(max, currency, reading)}</strong>
        )}
        <Span proposal={proposal} />
        {subject !== null && <SubjectLinks subjects={subject} />}
        <span className={`state ${state === 'open' ? 'near' : state === 'approved' ? 'well' : ''}`}>
          {say(`approvals.${state}`)}
        </span>
        <button
          type="button"
          className="button small"
          aria-expanded={isOpen}
          onClick={() => {
            onOpen(!isOpen);
          }}
        >
          {say(isOpen ? 'approvals.hide' : 'approvals.look')}
        </button>
      </div>
      {reason !== undefined && (
        <p>
          <Given text={reason} />
        </p>
      )}
      <p className="fine run">
        <span>{say('approvals.by', { name: personOf(by) })}</span>
        <Instant at={at} isShort />
        {decided === null ? (
          <span>
            {say('approvals.decideBy')} <Instant at={until} isShort />
          </span>
        ) : (
          <span>
            {say('approvals.decided', {
              state: say(`approvals.${state}`),
              name: personOf(decided.by),
            })}
            : <Given text={decided.reason} />
          </span>
        )}
      </p>
      {isOpen && <ProposalLook id={proposal.id} />}
    </li>
  );
}
