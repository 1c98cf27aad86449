import type { CheckAnswer, CheckRequest, RuleReport } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { I18nProvider } from 'react-aria-components';
import { useDigits } from '../data/digits.tsx';
import { callerOf, dryCheckOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import type { AskedUrl } from '../ui/asked.ts';
import { useAsked } from '../ui/asked.ts';
import { useAppForm, useClearAmount } from '../ui/form.tsx';
import { Listing } from '../ui/listing.tsx';
import { Section, Shown } from '../ui/panel.tsx';
import { standingColumns } from '../ui/standing.tsx';
import { Mark } from '../ui/text.tsx';
import { valueIn } from '../ui/value.ts';
import { amountText, majorOf, minorOf, quantityText, instantText } from '../ui/written.ts';
import type { Reading, Say } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';

/** `user:u-1 card:c-1`, each kind once; undefined where it is something else. */
export function subjectsIn(text: string): Readonly<Record<string, string>> | undefined {
  const parts = text.split(/\s+/).filter(Boolean);
  const pairs = parts.map((part) => /^([A-Za-z][\w-]*):(.+)$/.exec(part));
  const kinds = new Set(pairs.map((pair) => pair?.[1]));
  if (parts.length === 0 || pairs.includes(null) || kinds.size < parts.length) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}

/** `tier=gold verified=false`: numbers and truth values are what they look like. */
function attributesIn(text: string): NonNullable<CheckRequest['attributes']> {
  const pairs = text.split(/\s+/).flatMap((part) => {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return [];
    return [[name, valueIn(value)]];
  });
  return Object.fromEntries(pairs) as NonNullable<CheckRequest['attributes']>; // of names to values
}

/** The order that the URL asks about; undefined where it asks about none. */
function orderIn({ subjects = '', amount, currency, type, count, ...asked }: AskedUrl) {
  const { attributes, proofs, least } = asked;
  const named = subjectsIn(subjects);
  if (named === undefined || amount === undefined || currency === undefined) return undefined;
  return {
    subjects: named,
    amount: Number(amount),
    currency,
    ...(type === undefined ? {} : { type }),
    ...(count === undefined ? {} : { count: Number(count) }),
    ...(attributes === undefined ? {} : { attributes: attributesIn(attributes) }),
    ...(proofs === undefined ? {} : { proofs: proofs.split(/\s+/) }),
    ...(least === undefined ? {} : { partial: { min: Number(least) } }),
  };
}

/** How a payment would be answered now. */
export function Screen() {
  const { say, locale } = useReading();
  const [asked] = useAsked();
  const order = orderIn(asked);
  const caller = useQuery(callerOf(useSession()));
  return (
    <I18nProvider locale={locale}>
      <div className="head">
        <h1>{say('whatIf.title')}</h1>
      </div>
      <p className="lead">{say('whatIf.lead')}</p>
      <div className="asking">
        <Section title={say('nav.payment')}>
          {/* What is typed is scaled as the deployment says. */}
          <Shown asked={caller} lines={6}>
            {() => <OrderForm key={JSON.stringify(asked)} />}
          </Shown>
        </Section>
        {order !== undefined && <Answered order={order} />}
      </div>
    </I18nProvider>
  );
}

/** The form of an order, which the URL holds. */
function useOrderForm() {
  const [asked, change] = useAsked();
  const digits = useDigits();
  const first = asked.currency ?? 'CNY';
  const typed = (minor: string | undefined): number =>
    minor === undefined ? Number.NaN : majorOf(Number(minor), digits(first) ?? 0);
  return useAppForm({
    defaultValues: {
      subjects: asked.subjects ?? '',
      type: asked.type ?? 'PAYMENT',
      currency: first,
      amount: typed(asked.amount),
      least: typed(asked.least),
      count: Number(asked.count ?? 1),
      attributes: asked.attributes ?? '',
      proofs: asked.proofs ?? '',
    },
    onSubmit: ({ value }) => {
      const { subjects, type, currency, amount, least, count, attributes, proofs } = value;
      const text = (given: string): string | undefined => given.trim() || undefined;
      const code = currency.trim().toUpperCase();
      change({
        subjects: subjects.trim(),
        type: text(type),
        currency: code,
        amount: String(minorOf(amount, digits(code) ?? 0)),
        least: Number.isNaN(least) ? undefined : String(minorOf(least, digits(code) ?? 0)),
        count: count === 1 || Number.isNaN(count) ? undefined : String(count),
        attributes: text(attributes),
        proofs: text(proofs),
      });
    },
  });
}

/** A number must be typed. */
function typedOr(wrong: string) {
  return {
    onSubmit: ({ value }: { readonly value: number }) =>
      Number.isFinite(value) ? undefined : wrong,
  };
}

function OrderForm() {
  const { say } = useReading();
  const clear = useClearAmount();
  const form = useOrderForm();
  return (
    <form.AppForm>
      <form.Sheet>
        <form.AppField
          name="subjects"
          validators={{
            onSubmit: ({ value }) =>
              subjectsIn(value) === undefined ? say('whatIf.subjectsWrong') : undefined,
          }}
        >
          {({ Line }) => <Line label={say('whatIf.subjects')} help={say('whatIf.subjectsHelp')} />}
        </form.AppField>
        <div className="pair">
          <form.Subscribe selector={({ values }) => values.currency}>
            {(currency) => (
              <form.AppField name="amount" validators={typedOr(say('whatIf.amountWrong'))}>
                {({ Amount }) => (
                  <Amount label={say('field.amount')} currency={currency.trim().toUpperCase()} />
                )}
              </form.AppField>
            )}
          </form.Subscribe>
          <form.AppField name="currency">
            {({ Line }) => <Line label={say('field.currency')} />}
          </form.AppField>
        </div>
        <div className="pair">
          <form.AppField name="type">
            {({ Line }) => <Line label={say('field.type')} />}
          </form.AppField>
          <form.AppField name="count" validators={clear}>
            {({ Amount }) => <Amount label={say('field.count')} />}
          </form.AppField>
        </div>
        <form.AppField name="attributes">
          {({ Line }) => (
            <Line label={say('whatIf.attributes')} help={say('whatIf.attributesHelp')} />
          )}
        </form.AppField>
        <form.AppField name="proofs">
          {({ Line }) => <Line label={say('whatIf.proofs')} help={say('whatIf.proofsHelp')} />}
        </form.AppField>
        <form.Subscribe selector={({ values }) => values.currency}>
          {(currency) => (
            <form.AppField name="least" validators={clear}>
              {({ Amount }) => (
                <Amount
                  label={say('whatIf.least')}
                  help={say('whatIf.leastHelp')}
                  currency={currency.trim().toUpperCase()}
                />
              )}
            </form.AppField>
          )}
        </form.Subscribe>
        <p className="dialog-end">
          <button type="submit" className="button primary">
            {say('whatIf.ask')}
          </button>
        </p>
      </form.Sheet>
    </form.AppForm>
  );
}

type Order = Omit<CheckRequest, 'orderId' | 'dryRun'>;

function Answered({ order }: { readonly order: Order }) {
  const reading = useReading();
  const { say } = reading;
  const answer = useQuery(dryCheckOf(useSession(), order));
  const columns = standingColumns<RuleReport>(reading, {
    currency: () => order.currency,
    tone: ({ outcome }) => (isOver(outcome) ? 'over' : 'well'),
    state: ({ outcome }) => (
      <span className={`state ${isOver(outcome) ? 'over' : 'well'}`}>
        {outcomeText(outcome, say)}
      </span>
    ),
    asked: { amount: order.amount, count: order.count ?? 1 },
  });
  return (
    <Section title={say('whatIf.byRule')}>
      <Shown asked={answer} lines={6}>
        {(found) => (
          <>
            <Verdict answer={found} order={order} />
            {found.rules.length > 0 && (
              <Listing
                label={say('whatIf.byRule')}
                columns={columns}
                rows={found.rules.toSorted(refusedFirst)}
                keyOf={({ rule, subjects }) => `${rule} ${JSON.stringify(subjects)}`}
                noteOf={(rule) => noteOf(rule, order, reading)}
              />
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

function refusedFirst(one: RuleReport, other: RuleReport): number {
  const [first, second] = [one, other].map(({ outcome }) =>
    outcome === 'within' || outcome === 'reached' || outcome === 'exceeded-proven' ? 1 : 0,
  );
  return (first ?? 0) - (second ?? 0);
}

function Verdict({ answer, order }: { readonly answer: CheckAnswer; readonly order: Order }) {
  const reading = useReading();
  const { say, locale } = reading;
  const { currency } = order;
  const isAllowed = answer.decision === 'allowed';
  const headroom = 'headroom' in answer ? answer.headroom : undefined;
  const part = 'asked' in answer ? answer : undefined;
  return (
    <div className={`notice ${isAllowed ? 'done' : 'failed'}`} role="status">
      <p>
        <Mark sign={isAllowed ? '✓' : '×'} />
        <strong>{say(isAllowed ? 'whatIf.allowed' : 'whatIf.refused')}</strong>
      </p>
      {answer.decision === 'refused' && (
        <p>
          {say(`whatIf.reason.${answer.reason}`, {
            rules: answer.refusedBy.join(', '),
            proofs: (answer.challenges ?? []).join(', '),
            who: (answer.frozen ?? [])
              .map(
                ({ subjects, reason }) =>
                  `${Object.entries(subjects).flat().join(' ')} (${reason})`,
              )
              .join(', '),
          })}
        </p>
      )}
      {part?.amount !== undefined && part.amount !== part.asked && (
        <p>
          {say('whatIf.part', { amount: amountText(part.amount, currency, reading) })}
          {byText(part.amountBy ?? [])}
        </p>
      )}
      {'exceeded' in answer && (
        <p className="fine">
          {say('whatIf.told', { rules: answer.exceeded.map(({ rule }) => rule).join(', ') })}
        </p>
      )}
      {answer.shadowRefusedBy.length > 0 && (
        <p className="fine">{say('whatIf.shadow', { rules: answer.shadowRefusedBy.join(', ') })}</p>
      )}
      {headroom !== undefined && (
        <p>
          {headroom.amount === null
            ? say('whatIf.noLargest')
            : say('whatIf.largest', { amount: amountText(headroom.amount, currency, reading) })}
          {byText(headroom.amountBy)}
        </p>
      )}
      {!isAllowed && headroom !== undefined && (
        <p className="fine">
          {headroom.earliestAt === null
            ? say('whatIf.never')
            : say('whatIf.earliest', {
                time: instantText(headroom.earliestAt, locale, undefined, true),
              })}
          {byText(headroom.earliestBy)}
        </p>
      )}
    </div>
  );
}

/** What a rule says to this payment. */
function outcomeText(outcome: RuleReport['outcome'], say: Say): string {
  if (outcome === 'exceeded') return say('whatIf.refuses');
  if (outcome === 'exceeded-shadow') return say('whatIf.wouldRefuse');
  return say(`limit.outcome.${outcome}`);
}

function isOver(outcome: RuleReport['outcome']): boolean {
  return /^(exceeded|below-minimum)/.test(outcome);
}

/** What a line does not say: a minimum, a trial, and when the rule would allow the payment. */
function noteOf({ mode, min, retryAt }: RuleReport, order: Order, reading: Reading) {
  const { say, locale } = reading;
  if (mode !== 'shadow' && min === undefined && retryAt === undefined) return undefined;
  return (
    <div className="fine run">
      {mode === 'shadow' && <span className="tag">{say('limit.trial')}</span>}
      {min !== undefined && (
        <span>{say('whatIf.atLeast', { min: quantityText(min, order.currency, reading) })}</span>
      )}
      {retryAt === null && <span>{say('whatIf.retryNever')}</span>}
      {typeof retryAt === 'string' && (
        <span>{say('whatIf.retry', { time: instantText(retryAt, locale) })}</span>
      )}
    </div>
  );
}

/** The rules that something comes from, by their ids. */
function byText(rules: readonly string[]): string {
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}
