import type { Override, Subject, TermsChange } from '@headroom-limits/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { termsChangesOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { ListEnd } from '../../ui/listing.tsx';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { Made } from '../../ui/made.tsx';
import { askedText } from '../../ui/effect-over-time.tsx';
import { Instant, RuleLink, Until } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';

/** Every change of a subject's terms, newest first. */
export function TermsHistory({ subject }: { readonly subject: Subject }) {
  const { say } = useReading();
  const changes = useInfiniteQuery(termsChangesOf(useSession(), subject));
  return (
    <Section title={say('terms.history')}>
      <Shown asked={changes} lines={2} unaddressed={say('terms.unaddressed')}>
        {({ pages }) => {
          const told = pages.flatMap((page) => page.changes);
          if (told.length === 0) return <Empty>{say('terms.historyEmpty')}</Empty>;
          return (
            <>
              <ol className="terms">
                {told.map((change) => (
                  <OneChange key={`${change.at} ${change.change}`} change={change} />
                ))}
              </ol>
              <ListEnd asked={changes} count={told.length} />
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function OneChange({ change }: { readonly change: TermsChange }) {
  const reading = useReading();
  const { say } = reading;
  const { before, after } = change;
  const given = othersIn(after, before);
  const taken = othersIn(before, after);
  const text = ({ max, currency }: Override): string => askedText(max, currency, reading);
  return (
    <li>
      <p className="term-head">
        <strong>{say(`terms.change.${change.change}`)}</strong>
        {change.rule !== undefined && <RuleLink id={change.rule} />}
        {taken.map((override) => (
          <del key={override.id} className="figure">
            {text(override)}
          </del>
        ))}
        {given.map((override) => (
          <span key={override.id} className="run">
            <ins className="figure">{text(override)}</ins>
            {override.from > change.at && (
              <span>
                {say('time.from')} <Instant at={override.from} isShort />
              </span>
            )}
            {override.until !== null && <Until at={override.until} />}
          </span>
        ))}
        {change.change === 'freeze' && <Until at={after?.freeze?.until ?? null} />}
      </p>
      <Made {...change} />
    </li>
  );
}

/** The overrides of some terms that others do not have: those that a change gave, or took away. */
function othersIn(some: TermsChange['after'], others: TermsChange['after']): readonly Override[] {
  const known = new Set(others?.overrides.map(({ id }) => id));
  return (some?.overrides ?? []).filter(({ id }) => !known.has(id));
}
