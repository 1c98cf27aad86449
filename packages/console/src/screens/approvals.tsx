import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { proposalsOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { FilterChoice } from '../ui/filter.tsx';
import { ListEnd, Listing } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Part } from '../ui/part.tsx';
import { useReading } from '../words/words.tsx';
import { proposalColumns } from './approvals/proposal-columns.tsx';
import { ProposalLook } from './approvals/proposal-look.tsx';

const DecisionDialog = lazy(() => import('./approvals/decision-dialog.tsx'));

const STATES = ['open', 'approved', 'rejected', 'withdrawn', 'expired'] as const;

/** Changes that wait for a second person. */
export function Screen() {
  const reading = useReading();
  const { say } = reading;
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
                    <Listing
                      name="proposals"
                      label={say('approvals.title')}
                      columns={proposalColumns(reading, state === 'open', ({ id }) => (
                        <button
                          type="button"
                          className="plain"
                          aria-expanded={id === open}
                          onClick={() => {
                            change({ open: id === open ? undefined : id });
                          }}
                        >
                          {say(id === open ? 'approvals.hide' : 'approvals.look')}
                        </button>
                      ))}
                      rows={told}
                      keyOf={({ id }) => id}
                      noteOf={({ id }) => (id === open ? <ProposalLook id={id} /> : undefined)}
                    />
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
