import type { Subject } from '@headroom-limits/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { transactionsOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { FilterChoice } from '../../ui/filter.tsx';
import { Happenings } from '../../ui/happenings.tsx';
import { ListEnd } from '../../ui/listing.tsx';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { useReading } from '../../words/words.tsx';

const DECISIONS = ['refused', 'allowed'] as const;

/** What happened to a subject, newest first, with reasons as sentences. */
export function Decisions({ subject }: { readonly subject: Subject }) {
  const { say, language } = useReading();
  const session = useSession();
  const [{ decision: asked }] = useAsked();
  const decision = DECISIONS.find((each) => each === asked);
  const rows = useInfiniteQuery(transactionsOf(session, { subject, decision, language }));
  return (
    <Section
      title={say('decisions.title')}
      aside={
        <FilterChoice
          {...{ name: 'decision', first: '' }}
          label={say('decisions.filter')}
          options={[
            ['', say('decisions.all')],
            ...DECISIONS.map((each) => [each, say(`decisions.${each}`)] as const),
          ]}
        />
      }
    >
      <Shown asked={rows} lines={6}>
        {({ pages }) => {
          const told = pages.flatMap(({ transactions }) => transactions);
          if (told.length === 0)
            return (
              <Empty>
                {say(decision === undefined ? 'decisions.empty' : 'decisions.emptyFiltered')}
              </Empty>
            );
          return (
            <>
              <Happenings
                label={say('decisions.title')}
                rows={told}
                columns={['time', 'operation', 'outcome', 'amount', 'order', 'refusedBy']}
              />
              <ListEnd asked={rows} count={told.length} />
            </>
          );
        }}
      </Shown>
    </Section>
  );
}
