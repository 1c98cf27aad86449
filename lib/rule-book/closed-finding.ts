import type { Rule } from '../rule/rule.ts';
import { isLive } from '../rule/rule.ts';
import { calendarOf } from '../rule/windows/windows.ts';

/** How long before the last of a rule's closed dates somebody should add more. */
const DAYS_LEFT_MIN = 30;
const DAY_MS = 86_400_000;

/** Warns of business days whose closed dates end soon, or have ended: holidays that come then are days like any other. */
export function closedSentences(rules: readonly Rule[], at: Date): readonly string[] {
  return rules.filter(isLive).flatMap(({ id, window }) => {
    const last = calendarOf(window)?.closed?.dates?.toSorted().at(-1);
    const isFar = last === undefined || Date.parse(last) - at.getTime() > DAYS_LEFT_MIN * DAY_MS;
    if (isFar) return [];
    return [
      `${id}: ${last} is the last of its closed dates (\`window.closed.dates\`), so that holidays after it are business days. Add those of the next year.`,
    ];
  });
}
