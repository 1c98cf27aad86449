import type { TermsEffect } from '@headroom-limits/client';
import type { Reading } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';
import { Instant } from './text.tsx';
import { amountText } from './written.ts';

type Step = TermsEffect['steps'][number];
type State = Step['before'];
type Sum = 'amount' | 'count';

/** What a change of terms does: before it and after it, for each time in which nothing else changes. */
export function EffectOverTime({ effect }: { readonly effect: TermsEffect }) {
  const reading = useReading();
  const { say } = reading;
  return (
    <table className="diff">
      <thead>
        <tr>
          {(['effect.time', 'diff.before', 'diff.after'] as const).map((word) => (
            <th key={word} scope="col">
              {say(word)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {toldSteps(effect, reading).map(({ step, was, is }, index) => {
          const isSame = was === is;
          return (
            <tr key={step.from} className={isSame ? '' : 'changed'}>
              <th scope="row">
                <When step={step} isFirst={index === 0} />
              </th>
              <td className="figure">{isSame ? was : <del>{was}</del>}</td>
              <td className="figure">{isSame ? is : <ins>{is}</ins>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** From the first difference to the end of the last one. `from` is absent where that is now. */
export function spanOf(
  effect: TermsEffect,
  reading: Reading,
): { readonly from?: string; readonly until: string | null } | undefined {
  const changed = toldSteps(effect, reading).filter(({ was, is }) => was !== is);
  const [first, last] = [changed[0]?.step, changed.at(-1)?.step];
  if (first === undefined || last === undefined) return undefined;
  const { until } = last;
  return first === effect.steps[0] ? { until } : { from: first.from, until };
}

/** What is in force without a change and with it, where that first differs. */
export function differenceOf(effect: TermsEffect, reading: Reading) {
  return toldSteps(effect, reading).find(({ was, is }) => was !== is);
}

/** Each step, and the texts of what is in force without the change and with it. */
function toldSteps({ steps, currency }: TermsEffect, reading: Reading) {
  const sums = sumsIn(steps.flatMap(({ before, after }) => [before, after]));
  const told = (state: State): string => stateText(state, sums, currency, reading);
  return steps.map((step) => ({ step, was: told(step.before), is: told(step.after) }));
}

function When({
  step: { from, until },
  isFirst,
}: {
  readonly step: Step;
  readonly isFirst: boolean;
}) {
  const { say } = useReading();
  return (
    <>
      {isFirst ? (
        say('effect.now')
      ) : (
        <>
          {say('time.from')} <Instant at={from} isShort />
        </>
      )}
      {until !== null && (
        <>
          {' '}
          {say('time.until')} <Instant at={until} isShort />
        </>
      )}
    </>
  );
}

/** Sums that some state limits. */
export function sumsIn(states: readonly State[]): readonly Sum[] {
  return (['amount', 'count'] as const).filter((sum) =>
    states.some(({ max, maxBy }) => (max?.[sum] ?? maxBy?.[sum]) !== undefined),
  );
}

/** A maximum: `¥50,000.00 · 100 payments`. One that depends on an attribute has each value with its own. */
export function stateText(
  { max, maxBy, frozen }: State,
  sums: readonly Sum[],
  currency: string | undefined,
  reading: Reading,
): string {
  const { say } = reading;
  if (frozen !== undefined) return say(frozen ? 'diff.frozen' : 'diff.notFrozen');
  const parts = sums.map((sum) => {
    const by = maxBy?.[sum];
    if (by === undefined) return sumText(sum, max?.[sum], currency, reading);
    const values = [...Object.entries(by.values), [say('limit.tierElse'), by.else] as const];
    const each = values.map(([value, most]) => `${value} ${sumText(sum, most, currency, reading)}`);
    return `${by.by}: ${each.join(', ')}`;
  });
  return parts.length === 0 ? say('limit.noMax') : parts.join(' · ');
}

function sumText(
  sum: Sum,
  value: number | null | undefined,
  currency: string | undefined,
  reading: Reading,
): string {
  const { say } = reading;
  if (value === undefined || value === null)
    return say(sum === 'amount' ? 'limit.anyAmount' : 'limit.anyCount');
  return sum === 'amount'
    ? amountText(value, currency, reading)
    : say('limit.payments', { count: value });
}

type Asked = Readonly<Partial<Record<Sum, unknown>>> & {
  readonly distinct?: Readonly<Record<string, number>>;
};

/** The maximum that a proposal or a change asks for; nothing of a sum that it does not say. */
export function askedText(max: object, currency: string | undefined, reading: Reading): string {
  const { distinct = {}, ...asked } = max as Asked; // as the API takes it
  const [[name, count] = []] = Object.entries(distinct);
  if (name !== undefined && count !== undefined)
    return reading.say('limit.different', { count, name });
  const state = Object.entries(asked).map(([sum, value]): State => {
    if (typeof value !== 'object' || value === null) return { max: { [sum]: value ?? undefined } };
    const { by, else: otherwise, ...values } = value as Readonly<Record<string, number>>;
    return { max: {}, maxBy: { [sum]: { by: String(by), values, else: otherwise } } };
  });
  const sums = (['amount', 'count'] as const).filter((sum) => asked[sum] !== undefined);
  return sums
    .map((sum, index) => stateText(state[index] ?? {}, [sum], currency, reading))
    .join(' · ');
}
