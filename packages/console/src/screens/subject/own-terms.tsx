import type { Override, Subject } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { termsOf } from '../../data/queries.ts';
import { useMay } from '../../data/rights.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { Made } from '../../ui/made.tsx';
import { Instant, RuleLink } from '../../ui/text.tsx';
import { useRuleCurrency } from '../../data/currencies.ts';
import { quantityText } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';

/** What a subject has of its own, and how to change it. */
export function OwnTerms({ subject }: { readonly subject: Subject }) {
  const { say } = useReading();
  const session = useSession();
  const terms = useQuery(termsOf(session, subject));
  const [, change] = useAsked();
  const mayChange = useMay('subjects:write');
  const isFrozen = terms.data !== undefined && terms.data.freeze !== null;
  return (
    <Section
      title={say('terms.title')}
      aside={
        terms.data &&
        mayChange && (
          <button
            type="button"
            className={isFrozen ? 'button small' : 'button small danger'}
            onClick={() => {
              change({ do: isFrozen ? 'unfreeze' : 'freeze' });
            }}
          >
            {say(isFrozen ? 'terms.unfreeze' : 'terms.freeze')}
          </button>
        )
      }
    >
      <Shown asked={terms} lines={2} unaddressed={say('terms.unaddressed')}>
        {({ freeze, overrides }) => (
          <>
            {freeze === null && overrides.length === 0 && <Empty>{say('terms.empty')}</Empty>}
            <ul className="terms">
              {freeze !== null && (
                <li>
                  <p className="term-head">
                    <span className="state over">{say('diff.frozen')}</span>
                    <When {...freeze} />
                  </p>
                  <Made {...freeze} />
                </li>
              )}
              {overrides.map((override) => (
                <OneOverride
                  key={`${override.rule} ${override.from}`}
                  override={override}
                  subject={subject}
                  onEnd={() => {
                    change({ do: 'endOverride', rule: override.rule });
                  }}
                />
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Section>
  );
}

function OneOverride({
  override,
  subject,
  onEnd,
}: {
  readonly override: Override;
  readonly subject: Subject;
  readonly onEnd: () => void;
}) {
  const reading = useReading();
  const { say } = reading;
  const currency = useRuleCurrency(subject, override.rule);
  const mayEnd = useMay('subjects:write');
  return (
    <li>
      <p className="term-head">
        <RuleLink id={override.rule} />
        <strong className="figure">{quantityText(override.max, currency, reading)}</strong>
        <span className="tag">{say(override.inForce ? 'terms.inForce' : 'terms.toCome')}</span>
        <When {...override} />
      </p>
      <Made {...override} />
      {mayEnd && (
        <button type="button" className="plain" onClick={onEnd}>
          {say('limit.end')}
        </button>
      )}
    </li>
  );
}

function When({
  inForce,
  from,
  until,
}: {
  readonly inForce: boolean;
  readonly from: string;
  readonly until: string | null;
}) {
  const { say } = useReading();
  return (
    <span className="fine">
      {!inForce && (
        <>
          {say('field.from')} <Instant at={from} isShort />{' '}
        </>
      )}
      {say('field.until')} {until === null ? say('time.never') : <Instant at={until} isShort />}
    </span>
  );
}
