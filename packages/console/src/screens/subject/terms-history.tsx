import type { Subject, TermsChange } from '@headroom-limits/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { termsChangesOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { ListEnd } from '../../ui/listing.tsx';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { Made } from '../../ui/made.tsx';
import { RuleLink } from '../../ui/text.tsx';
import { useRuleCurrency } from '../../data/currencies.ts';
import { quantityText } from '../../ui/written.ts';
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
                  <OneChange
                    key={`${change.at} ${change.change}`}
                    change={change}
                    subject={subject}
                  />
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

function OneChange({
  change,
  subject,
}: {
  readonly change: TermsChange;
  readonly subject: Subject;
}) {
  const reading = useReading();
  const { say } = reading;
  const currency = useRuleCurrency(subject, change.rule ?? '');
  const maximumIn = (terms: TermsChange['after']): string => {
    const found = terms?.overrides.findLast(({ rule }) => rule === change.rule);
    return found === undefined ? say('terms.ruleOwn') : quantityText(found.max, currency, reading);
  };
  return (
    <li>
      <p className="term-head">
        <strong>{say(`terms.change.${change.change}`)}</strong>
        {change.rule !== undefined && (
          <>
            <RuleLink id={change.rule} />
            <span className="figure">
              <del>{maximumIn(change.before)}</del> → <ins>{maximumIn(change.after)}</ins>
            </span>
          </>
        )}
      </p>
      <Made {...change} />
    </li>
  );
}
