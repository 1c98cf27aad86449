import { begunAt } from '../rule/rule-for-order.ts';
import { isOfFailures } from '../rule/counting.ts';
import type { Rule } from '../rule/rule.ts';
import { isLive, sharesDocument } from '../rule/rule.ts';
import { bucketPeriod, isCounted, stepsOf } from '../rule/windows/windows.ts';
import { BUCKETS_MAX, BUCKETS_OF_OTHERS, DAY_MS } from '../shared/bounds.ts';

/** Windows that rules of several subjects have in the document of their first one. */
const PAIRS_MAX = BUCKETS_MAX - BUCKETS_OF_OTHERS;
/** In a longer window ten new pairs a day have no room: a month and a quarter are shorter. */
const LONG_MS = (PAIRS_MAX / 10) * DAY_MS;

/**
 * Warns of rules of several subjects in one document whose first one may meet too many others in one window. A user at a merchant, by
 * month, is none: nobody pays 950 merchants in a month. Only failures stay where a rule counts them, and they are few.
 */
export function pairsSentences(
  rules: readonly Rule[],
  homeKinds: readonly string[],
  at: Date,
): readonly string[] {
  return rules.flatMap((rule) => {
    const { id, per } = rule;
    const [first] = per;
    const isCounting = isLive(rule) && isCounted(rule.window);
    if (!sharesDocument(rule) || !isCounting || isOfFailures(rule)) return [];
    const bound = `${id}: a ${first} has room for ${PAIRS_MAX} windows of several subjects, and more are TOO_MANY_BUCKETS.`;
    const home = homeKinds.find((kind) => per.includes(kind));
    if (home !== undefined && home !== first) {
      const better = [home, ...per.filter((kind) => kind !== home)].join(', ');
      return [
        `${bound} Write \`counterparts: many\`. Or write \`per: [${better}]\`, so that each ${home} has room for so many.`,
      ];
    }
    if (spanMsOf(rule, at) <= LONG_MS) return [];
    return [
      `${bound} In a window this long they add up: write \`counterparts: many\`, or take a quarter or less.`,
    ];
  });
}

/** How long the window of a rule lasts. */
function spanMsOf(rule: Rule, at: Date): number {
  const { window } = begunAt(rule, at);
  if (!isCounted(window)) return 0;
  const steps = stepsOf(window);
  if (steps !== undefined) return steps.spanMs;
  const { start, until } = bucketPeriod(window, at);
  return until.getTime() - start.getTime();
}
