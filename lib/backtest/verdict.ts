import type { Shown } from '../limits/attempt.ts';
import { tell } from '../limits/answering.ts';
import type { Refusal } from '../http/refusal.ts';
import { refusalsIn } from '../http/refusal.ts';
import { refusedBy } from '../limits/report.ts';
import { frozenSentence, refusalSentence } from '../http/sentences/refusal-sentence.ts';
import { HeadroomError } from '../shared/errors.ts';
import type { Language } from '../shared/language.ts';
import type { PastRow } from './past-row.ts';

/** What is said of a check: by its row, or by a replay. */
export type Verdict = {
  /** `allowed`, `refused`, `repeated`, or the code of an error. */
  readonly outcome: string;
  /** Of a refusal: the rules that refused. */
  readonly rules: readonly string[];
  /** Of a refusal without such a rule: `no-rule` or `frozen`. */
  readonly reason?: string | undefined;
  /** Of a check that is allowed: less than was asked where it takes what fits. */
  readonly amountMinor?: number | undefined;
  /** Why it is refused, as a check would say it. */
  readonly sentence?: ((language: Language) => string) | undefined;
};

const NO_RULE: Readonly<Record<Language, string>> = {
  en: 'No rule applies to the order.',
  zh: '没有规则适用于该订单。',
};

/** A check of an order that is held already. */
export const REPEATED: Verdict = { outcome: 'repeated', rules: [] };
/** Another order of its call was not allowed. */
export const NOT_ALL_ALLOWED: Verdict = { outcome: 'NOT_ALL_ALLOWED', rules: [] };

/** Whether an order passes. */
export function passes({ outcome }: Verdict): boolean {
  return outcome === 'allowed' || outcome === REPEATED.outcome;
}

/** Whether two verdicts are the same: by the same rules, and with the same amount. */
export function isSameVerdict(one: Verdict, other: Verdict): boolean {
  if (one.outcome !== other.outcome || one.reason !== other.reason) return false;
  if (one.amountMinor !== other.amountMinor) return false;
  return one.rules.toSorted().join() === other.rules.toSorted().join();
}

/** What the row of a check says of it. */
export function verdictIn({ outcome, violations, reason, amountMinor }: PastRow): Verdict {
  if (outcome === 'refused') return { outcome, rules: violations, reason };
  if (outcome !== 'held' && outcome !== 'confirmed') return { outcome, rules: [] };
  return { outcome: 'allowed', rules: [], amountMinor };
}

/** What a replay says of a check. */
export function verdictOf(shown: Shown): Verdict {
  const { attempt } = shown;
  if (shown.kind === 'wouldHold')
    return { outcome: 'allowed', rules: [], amountMinor: shown.amountMinor };
  const { result } = tell({ tellsNear: false }, shown);
  if (result.kind === 'failed') {
    const { error } = result;
    if (error instanceof HeadroomError)
      return { outcome: error.code, rules: [], sentence: () => error.message };
    throw error;
  }
  const { answer } = result;
  if (answer.kind !== 'refused') throw new TypeError('an order that is not held is refused');
  const { rules: reports, reason, frozen = [], leastMinor } = answer;
  const { amountMinor, count } = attempt.request;
  const asked = { amountMinor: leastMinor ?? amountMinor, count };
  const sentence = (language: Language): string => {
    if (reason === 'no-rule') return NO_RULE[language];
    const whys = frozen.map(({ kind, id, freeze: { reason: why, until } }) =>
      frozenSentence(
        until === undefined ? { kind, id, reason: why } : { kind, id, reason: why, until },
        language,
      ),
    );
    const refusals: readonly Refusal[] = refusalsIn(reports);
    return [...whys, ...refusals.map((one) => refusalSentence(one, asked, language))].join('. ');
  };
  return {
    outcome: 'refused',
    rules: refusedBy(reports),
    reason: reason === 'no-rule' || reason === 'frozen' ? reason : undefined,
    sentence,
  };
}
