import type { Override, Subject } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { termsOf } from '../../data/queries.ts';
import { useMay } from '../../data/rights.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { Made } from '../../ui/made.tsx';
import { Instant, RuleLink, Until } from '../../ui/text.tsx';
import { askedText } from '../../ui/effect-over-time.tsx';
import { useReading } from '../../words/words.tsx';

/** What a subject has of its own, and how to change it. */
export function OwnTerms({ subject }: { readonly subject: Subject }) {
  const { say } = useReading();
  const session = useSession();
  const terms = useQuery(termsOf(session, subject));
  const [, change] = useAsked();
  // A freeze that is over stays in the answer.
  const isFrozen = terms.data?.freeze?.inForce === true;
  return (
    <Section title={say('terms.title')}>
      <Shown asked={terms} lines={2} unaddressed={say('terms.unaddressed')}>
        {({ freeze, overrides, now }) => (
          <>
            {!isFrozen && overrides.every((one) => isOver(one, now)) && (
              <Empty>{say('terms.empty')}</Empty>
            )}
            <ul className="terms">
              {freeze !== null && isFrozen && (
                <li>
                  <p className="term-head">
                    <span className="state over">{say('diff.frozen')}</span>
                    <When {...freeze} />
                  </p>
                  <Made {...freeze} />
                </li>
              )}
              {overrides
                .filter((one) => !isOver(one, now))
                .map((override) => (
                  <OneOverride
                    key={override.id}
                    override={override}
                    now={now}
                    onEnd={() => {
                      change({ do: 'endOverride', rule: override.rule, override: override.id });
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
  now,
  onEnd,
}: {
  readonly override: Override;
  readonly now: string;
  readonly onEnd: () => void;
}) {
  const reading = useReading();
  const { say } = reading;
  const { inForce, from } = override;
  const state = inForce ? 'inForce' : from > now ? 'toCome' : 'covered';
  const mayEnd = useMay('subjects:write');
  return (
    <li>
      <p className="term-head">
        <RuleLink id={override.rule} />
        <strong className="figure">{askedText(override.max, override.currency, reading)}</strong>
        <span className="tag">{say(`terms.${state}`)}</span>
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

/** Instants of an answer are all of one form, so that they compare as text. */
function isOver({ until }: Pick<Override, 'until'>, now: string): boolean {
  return until !== null && until <= now;
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
          {say('time.from')} <Instant at={from} isShort />{' '}
        </>
      )}
      <Until at={until} />
    </span>
  );
}
