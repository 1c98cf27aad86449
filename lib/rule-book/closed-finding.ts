import type { Rule } from '../rule/rule.ts';
import { isLive } from '../rule/rule.ts';
import { DAY_MS, NEVER } from '../shared/bounds.ts';
import { calendarOf } from '../rule/windows/windows.ts';

/** How long before the last of a rule's closed dates somebody should add more. */
const DAYS_LEFT_MIN = 30;

/** Warns of business days whose closed dates end soon, or have ended, while the rule goes on: holidays are open then. */
export function closedSentences(rules: readonly Rule[], at: Date): readonly string[] {
  return rules.filter(isLive).flatMap(({ id, window, to = NEVER }) => {
    const last = calendarOf(window)?.closed?.dates?.toSorted().at(-1);
    if (last === undefined) return [];
    const isFar = Date.parse(last) - at.getTime() > DAYS_LEFT_MIN * DAY_MS;
    const hasEnd = to.getTime() - Date.parse(last) < DAYS_LEFT_MIN * DAY_MS;
    if (isFar || hasEnd) return [];
    return [
      `${id}: ${last} is the last of its closed dates (\`window.closed.dates\`), so that holidays after it are business days. Add those of the next year.`,
    ];
  });
}
