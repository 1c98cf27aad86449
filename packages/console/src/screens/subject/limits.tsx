import type { RuleUsage, UsageAnswer } from '@headroom-limits/client';
import { conditionsText } from '../../../../../lib/http/sentences/conditions-text.ts';
import { useMay } from '../../data/rights.ts';
import { useAsked } from '../../ui/asked.ts';
import { stateText, sumsIn } from '../../ui/effect-over-time.tsx';
import type { Column } from '../../ui/listing.tsx';
import { Listing } from '../../ui/listing.tsx';
import type { Asked } from '../../ui/panel.tsx';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { NEAR, standingColumns, takenShare } from '../../ui/standing.tsx';
import { Given, Instant, Until } from '../../ui/text.tsx';
import { localZone, instantText, zoneOf } from '../../ui/written.ts';
import type { Reading, Say } from '../../words/words.tsx';
import { useReading } from '../../words/words.tsx';

/** How every limit stands, the nearest first. */
export function Limits({ usage }: { readonly usage: Asked<UsageAnswer> }) {
  const { say } = useReading();
  return (
    <Section
      title={say('subject.limits')}
      aside={
        usage.data && (
          <span className="fine">
            <Instant at={usage.data.now} />
          </span>
        )
      }
    >
      <Shown asked={usage} lines={8}>
        {({ rules, unknownKinds = [], withoutInstant = [] }) => (
          <>
            {unknownKinds.map(({ kind, nearest }) => (
              <Empty key={kind}>
                {nearest.length === 0
                  ? say('subject.unknownKindAlone', { kind })
                  : say('subject.unknownKind', { kind, nearest: nearest.join(', ') })}
              </Empty>
            ))}
            {rules.length + withoutInstant.length + unknownKinds.length === 0 && (
              <Empty>{say('subject.noLimits')}</Empty>
            )}
            {rules.length > 0 && <Standings rules={rules.toSorted(nearestFirst)} />}
            {withoutInstant.map(({ rule, attribute }) => (
              <p key={rule} className="fine">
                {say('limit.withoutInstant', { rule, attribute })}
              </p>
            ))}
          </>
        )}
      </Shown>
    </Section>
  );
}

/** Limits that nothing was taken of are one line, unless there are no others. */
function Standings({ rules }: { readonly rules: readonly RuleUsage[] }) {
  const reading = useReading();
  const { say, language } = reading;
  const [{ unused: asked }, change] = useAsked();
  const columns = useColumns(reading);
  const taken = rules.filter((rule) => !isUnused(rule));
  const unused = taken.length === 0 ? [] : rules.filter(isUnused);
  const isOpen = asked !== undefined;
  return (
    <>
      <Listing
        label={say('subject.limits')}
        columns={columns}
        rows={unused.length === 0 ? rules : [...taken, ...(isOpen ? unused : [])]}
        keyOf={({ rule, subjects }) => `${rule} ${Object.keys(subjects).join(' ')}`}
        noteOf={(rule) => (isPlain(rule) ? undefined : <Note rule={rule} />)}
      />
      {unused.length > 0 && (
        <p className="fold">
          <button
            type="button"
            className="plain"
            aria-expanded={isOpen}
            onClick={() => {
              change({ unused: isOpen ? undefined : '1' }, false);
            }}
          >
            {say(isOpen ? 'limit.hideUnused' : 'limit.unused', { count: unused.length })}
          </button>
          {!isOpen && (
            <span className="fine">
              <Given
                text={unused
                  .map(({ rule, title }) => title?.[language] ?? title?.en ?? rule)
                  .join(' · ')}
              />
            </span>
          )}
        </p>
      )}
    </>
  );
}

/** Rules that refuse nothing now, outside their times or on trial, come after the others. */
function nearestFirst(one: RuleUsage, other: RuleUsage): number {
  const places = [one, other].map(({ mode, beginsAt }) =>
    mode === 'shadow' ? 2 : beginsAt === undefined ? 0 : 1,
  );
  const [first = 0, second = 0] = places;
  return first - second || takenShare(other) - takenShare(one);
}

/** Nothing is taken, all of it is left, and nothing is the subject's own. */
function isUnused(rule: RuleUsage): boolean {
  const { used = {}, held = {}, override, later } = rule;
  const taken = [used.amount, used.count, held.amount, held.count];
  const isOwn = override !== undefined || later !== undefined;
  return !isOwn && takenShare(rule) === 0 && !taken.some(Boolean);
}

function useColumns(reading: Reading): readonly Column<RuleUsage>[] {
  const { say } = reading;
  const [, change] = useAsked();
  const mayChange = useMay('subjects:write');
  return [
    ...standingColumns<RuleUsage>(reading, {
      currency: ({ currency }) => currency,
      tone: toneOf,
      state: (rule) => {
        const state = stateOf(rule);
        if (state === 'within') return null;
        return <span className={`state ${toneOf(rule)}`}>{say(`limit.outcome.${state}`)}</span>;
      },
    }),
    { id: 'until', header: say('limit.ends'), isFigure: true, cell: endOf(reading) },
    {
      id: 'change',
      header: '',
      cell: ({ rule }) =>
        mayChange && (
          <button
            type="button"
            className="plain"
            onClick={() => {
              change({ do: 'override', rule });
            }}
          >
            {say('limit.change')}
          </button>
        ),
    },
  ];
}

/** When all that counts now has ended, in the zone whose days the rule counts. */
const endOf =
  ({ say, locale }: Reading) =>
  ({ resetsAt, beginsAt, window }: RuleUsage) => {
    const at = beginsAt ?? resetsAt;
    if (beginsAt === null || at === null) return null;
    const [zone, own] = [zoneOf(window) ?? localZone(), localZone()];
    const time = `${instantText(at, locale, zone)}${zone === own ? '' : ` ${zone}`}`;
    return (
      <time dateTime={at} title={at}>
        {beginsAt === undefined ? time : say('limit.begins', { time })}
      </time>
    );
  };

/** Outside its times a rule refuses nothing, whatever is left of it. */
function stateOf(rule: RuleUsage): RuleUsage['outcome'] | 'near' | 'outside' {
  if (rule.beginsAt !== undefined) return 'outside';
  return isNear(rule) ? 'near' : rule.outcome;
}

/** Room is left, and not much of it. */
function isNear(rule: RuleUsage): boolean {
  return rule.outcome === 'within' && takenShare(rule) >= NEAR;
}

/** How bad it is, in three steps. */
function toneOf(rule: RuleUsage): 'well' | 'near' | 'over' | 'unclear' {
  const { outcome, beginsAt, onExceed } = rule;
  if (outcome === 'depends' || beginsAt !== undefined) return 'unclear';
  const isFull = outcome === 'exceeded' || outcome === 'reached';
  if (isFull && onExceed !== 'notify') return 'over';
  return takenShare(rule) >= NEAR ? 'near' : 'well';
}

/** Whether a rule is like most: it counts every payment, refuses what is above its maximum, and has one. */
function isPlain({ mode, onExceed, outcomes, counts, minus, appliesTo, ...rule }: RuleUsage) {
  const { override, later, maxBy } = rule;
  const others = [onExceed, outcomes, counts, minus, appliesTo, override, later, maxBy];
  return mode === 'enforce' && others.every((each) => each === undefined);
}

/** What makes a rule another than most, and what the subject has of its own. */
function Note({ rule }: { readonly rule: RuleUsage }) {
  const reading = useReading();
  const { say } = reading;
  const { mode, onExceed, challenge, outcomes, reasonCodes } = rule;
  const { override, max, maxBy, later = [], currency } = rule;
  const text = (state: Parameters<typeof stateText>[0]): string =>
    stateText(state, sumsIn([{ max, maxBy: maxBy ?? {} }, state, ...later]), currency, reading);
  return (
    <div className="fine run">
      {mode === 'shadow' && <span className="tag">{say('limit.trial')}</span>}
      {outcomes !== undefined && (
        <span className="tag">{endsText(outcomes, reasonCodes, say)}</span>
      )}
      {onExceed === 'notify' && <span className="tag">{say('limit.tells')}</span>}
      {challenge !== undefined && (
        <span className="tag">{say('limit.challenges', { proof: challenge })}</span>
      )}
      <Conditions rule={rule} />
      {maxBy !== undefined && (
        <Given text={stateText({ maxBy }, sumsIn([{ maxBy }]), currency, reading)} />
      )}
      {override !== undefined && (
        <span className="run">
          <span className="tag own">
            {say('limit.own', {
              own: text({ max: override.own, maxBy: override.maxBy ?? {} }),
            })}
          </span>
          <Given text={override.reason} />
          <Until at={override.until} />
        </span>
      )}
      {later.map(({ from, ...state }) => (
        <span key={from}>
          {say('time.from')} <Instant at={from} isShort />:{' '}
          <span className="figure">{text(state)}</span>
        </span>
      ))}
    </div>
  );
}

function endsText(
  outcomes: NonNullable<RuleUsage['outcomes']>,
  codes: RuleUsage['reasonCodes'],
  say: Say,
): string {
  const ends = outcomes.map((outcome) =>
    outcome === 'rolledBack' && codes !== undefined
      ? say('limit.counts.rolledBackFor', { codes: codes.join(', ') })
      : say(`limit.counts.${outcome}`),
  );
  return say('limit.counts', { ends: ends.join(say('limit.counts.and')) });
}

/** Says which payments alone a rule is about: nobody knows here what the next payment is. */
function Conditions({ rule: { counts, appliesTo, minus } }: { readonly rule: RuleUsage }) {
  const { say, language } = useReading();
  const texts = [
    ...(counts ? [say('limit.onlyIf', { conditions: conditionsText(counts, language) })] : []),
    ...(minus ? [say('limit.less', { conditions: conditionsText(minus, language) })] : []),
    ...(appliesTo
      ? [say('limit.refusesOnlyIf', { conditions: conditionsText(appliesTo, language) })]
      : []),
  ];
  return texts.map((text) => <Given key={text} text={text} />);
}
