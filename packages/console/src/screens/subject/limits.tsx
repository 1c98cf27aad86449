import type { Quantity, RuleUsage, UsageAnswer } from '@headroom-limits/client';
import { conditionsText } from '../../../../../lib/http/sentences/conditions-text.ts';
import { useMay } from '../../data/rights.ts';
import { useAsked } from '../../ui/asked.ts';
import { Bar } from '../../ui/bar.tsx';
import { stateText, sumsIn } from '../../ui/effect-over-time.tsx';
import type { Asked } from '../../ui/panel.tsx';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { FrozenNotice } from '../../ui/frozen.tsx';
import { Given, Instant, RuleLink, Until } from '../../ui/text.tsx';
import {
  amountText,
  localZone,
  quantityText,
  shortInstantText,
  windowText,
  zoneOf,
} from '../../ui/written.ts';
import type { Reading } from '../../words/words.tsx';
import type { Say } from '../../words/words.tsx';
import { useReading } from '../../words/words.tsx';

/** Who is frozen, above everything else. */
export function Frozen({ usage }: { readonly usage: Asked<UsageAnswer> }) {
  return usage.data?.frozen.map(({ reason, until }) => (
    <FrozenNotice key={reason} reason={reason} until={until} />
  ));
}

/** How every limit stands. */
export function Limits({ usage }: { readonly usage: Asked<UsageAnswer> }) {
  const { say } = useReading();
  return (
    <Section title={say('subject.limits')} aside={usage.data && <AsOf now={usage.data.now} />}>
      <Shown asked={usage} lines={8}>
        {({ rules, unknownKinds = [] }) => (
          <>
            {unknownKinds.map(({ kind, nearest }) => (
              <Empty key={kind}>
                {nearest.length === 0
                  ? say('subject.unknownKindAlone', { kind })
                  : say('subject.unknownKind', { kind, nearest: nearest.join(', ') })}
              </Empty>
            ))}
            {rules.length === 0 && unknownKinds.length === 0 && (
              <Empty>{say('subject.noLimits')}</Empty>
            )}
            <ul className="limits">
              {rules.toSorted(nearestFirst).map((rule) => (
                <Limit key={`${rule.rule} ${Object.keys(rule.subjects).join(' ')}`} rule={rule} />
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Section>
  );
}

/** Rules on trial come after those in force. */
function nearestFirst(one: RuleUsage, other: RuleUsage): number {
  const [first, second] = [one.mode === 'shadow' ? 1 : 0, other.mode === 'shadow' ? 1 : 0];
  return first - second || (other.share ?? 0) - (one.share ?? 0);
}

function AsOf({ now }: { readonly now: string }) {
  return (
    <span className="fine">
      <Instant at={now} />
    </span>
  );
}

function endsText(
  outcomes: NonNullable<RuleUsage['outcomes']>,
  codes: RuleUsage['reasonCodes'],
  say: Say,
): string {
  const word = outcomes.includes('confirmed') ? 'limit.ended' : 'limit.failures';
  return codes === undefined ? say(word) : say(`${word}For`, { codes: codes.join(', ') });
}

/** What makes a rule another than most: what it counts, and why it may refuse nothing above its maximum. */
function Marks({ rule }: { readonly rule: RuleUsage }) {
  const { mode, onExceed, challenge, outcomes, reasonCodes } = rule;
  const { say } = useReading();
  return (
    <>
      {mode === 'shadow' && <span className="tag">{say('limit.trial')}</span>}
      {outcomes !== undefined && (
        <span className="tag">{endsText(outcomes, reasonCodes, say)}</span>
      )}
      {onExceed === 'notify' && <span className="tag">{say('limit.tells')}</span>}
      {challenge !== undefined && (
        <span className="tag">{say('limit.challenges', { proof: challenge })}</span>
      )}
    </>
  );
}

function Limit({ rule }: { readonly rule: RuleUsage }) {
  const reading = useReading();
  const { say, language } = reading;
  const [, change] = useAsked();
  const title = rule.title?.[language] ?? rule.title?.en;
  const mayChange = useMay('subjects:write');
  return (
    <li className={isUntouched(rule) ? 'limit untouched' : 'limit'}>
      <div className="limit-head">
        <h3>{title === undefined ? <Given text={rule.rule} /> : <Given text={title} />}</h3>
        <span className={`state ${toneOf(rule)}`}>{say(`limit.outcome.${stateOf(rule)}`)}</span>
      </div>
      <p className="fine run">
        <RuleLink id={rule.rule} />
        <span>{windowText(rule.window, reading)}</span>
        <Marks rule={rule} />
        {typeof rule.beginsAt === 'string' && (
          <At word="limit.begins" at={rule.beginsAt} window={rule.window} />
        )}
        {typeof rule.resetsAt === 'string' && rule.beginsAt === undefined && (
          <At word="limit.resets" at={rule.resetsAt} window={rule.window} />
        )}
        <span className="actions">
          {mayChange && (
            <button
              type="button"
              className="button small"
              onClick={() => {
                change({ do: 'override', rule: rule.rule });
              }}
            >
              {say('limit.change')}
            </button>
          )}
          <button
            type="button"
            className="plain"
            onClick={() => {
              change({ show: rule.rule });
            }}
          >
            {say('limit.chart')}
          </button>
        </span>
      </p>
      <Conditions rule={rule} />
      {isUntouched(rule) ? <All rule={rule} /> : <Parts rule={rule} />}
      {rule.override !== undefined && (
        <p className="own">
          <span className="tag">
            {say('limit.own', { own: ownText(rule.override, rule.currency, reading) })}
          </span>{' '}
          <Given text={rule.override.reason} />
          {rule.override.until !== null && (
            <>
              {' · '}
              <Until at={rule.override.until} />
            </>
          )}
        </p>
      )}
      <Later rule={rule} />
      <Tiers rule={rule} />
    </li>
  );
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
  return texts.map((text) => (
    <p key={text} className="own">
      <Given text={text} />
    </p>
  ));
}

/** What the rule has where the subject has a maximum of its own. */
function ownText(
  { own, maxBy }: NonNullable<RuleUsage['override']>,
  currency: string | undefined,
  reading: Reading,
): string {
  const state = { max: own, ...(maxBy === undefined ? {} : { maxBy }) };
  return stateText(state, sumsIn([state]), currency, reading);
}

/** What the subject's own terms make of the maximum later. */
function Later({ rule: { later = [], max, maxBy = {}, currency } }: { readonly rule: RuleUsage }) {
  const reading = useReading();
  const { say } = reading;
  const sums = sumsIn([{ max, maxBy }, ...later]);
  return later.map(({ from, ...state }) => (
    <p key={from} className="own">
      {say('time.from')} <Instant at={from} isShort />:{' '}
      <span className="figure">{stateText(state, sums, currency, reading)}</span>
    </p>
  ));
}

/** Nothing was taken, and nothing is its own: a line says it. */
function isUntouched({ used = {}, held = {}, override, maxBy }: RuleUsage): boolean {
  const taken = [used.amount, used.count, held.amount, held.count];
  return override === undefined && maxBy === undefined && !taken.some((value) => (value ?? 0) > 0);
}

function All({ rule: { max, currency } }: { readonly rule: RuleUsage }) {
  const reading = useReading();
  return (
    <p className="fine figure">
      {reading.say('limit.left')} {quantityText(max, currency, reading)}
    </p>
  );
}

/** When all that counts now has ended, in the zone whose days the rule counts. */
function At({
  word,
  at,
  window,
}: {
  readonly word: 'limit.begins' | 'limit.resets';
  readonly at: string;
  readonly window: RuleUsage['window'];
}) {
  const { say, locale } = useReading();
  const zone = zoneOf(window) ?? localZone();
  const time = `${shortInstantText(at, locale, zone)} ${zone}`;
  return <span title={at}>{say(word, { time })}</span>;
}

/** Outside its times a rule refuses nothing, whatever is left of it. */
function stateOf(rule: RuleUsage): RuleUsage['outcome'] | 'near' | 'outside' {
  if (rule.beginsAt !== undefined) return 'outside';
  return isNear(rule) ? 'near' : rule.outcome;
}

/** Room is left, and not much of it. */
function isNear({ outcome, share }: RuleUsage): boolean {
  return outcome === 'within' && (share ?? 0) >= 0.8;
}

/** How bad it is, in three steps. */
function toneOf({
  outcome,
  share,
  beginsAt,
  onExceed,
}: RuleUsage): 'well' | 'near' | 'over' | 'unclear' {
  if (outcome === 'depends' || beginsAt !== undefined) return 'unclear';
  const isFull = outcome === 'exceeded' || outcome === 'reached';
  if (isFull && onExceed !== 'notify') return 'over';
  return (share ?? 0) >= 0.8 ? 'near' : 'well';
}

function Parts({ rule }: { readonly rule: RuleUsage }) {
  const reading = useReading();
  const { say } = reading;
  const { max, used = {}, held = {}, currency } = rule;
  const parts = (['amount', 'count'] as const).filter(
    (part) => max[part] !== undefined || rule.maxBy?.[part] !== undefined,
  );
  const text = (part: keyof Quantity, value: number): string =>
    part === 'amount'
      ? amountText(value, currency, reading)
      : say('limit.payments', { count: value });
  return parts.map((part) => (
    <Bar
      key={part}
      name={`${rule.rule} ${say(`field.${part}`)}`}
      used={used[part] ?? 0}
      held={held[part] ?? 0}
      max={max[part]}
      write={(value) => text(part, value)}
      tone={toneOf(rule)}
      isOfEnds={rule.outcomes !== undefined}
    />
  ));
}

/** Maxima that depend on what nobody said. */
function Tiers({ rule }: { readonly rule: RuleUsage }) {
  const reading = useReading();
  const { say } = reading;
  const { maxBy = {}, currency } = rule;
  return (['amount', 'count'] as const).flatMap((part) => {
    const tiers = maxBy[part];
    if (tiers === undefined) return [];
    const text = (value: number): string =>
      part === 'amount'
        ? amountText(value, currency, reading)
        : say('limit.payments', { count: value });
    const rows = [
      ...Object.entries(tiers.values),
      ...(tiers.else === undefined ? [] : [[say('limit.tierElse'), tiers.else] as const]),
    ];
    return [
      <div key={part} className="tiers">
        <p className="fine">{say('limit.tiers', { by: tiers.by })}</p>
        <dl className="pairs">
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>
                <Given text={name} />
              </dt>
              <dd className="figure">{text(value)}</dd>
            </div>
          ))}
        </dl>
      </div>,
    ];
  });
}
