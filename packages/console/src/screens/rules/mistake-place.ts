import type { RequestMistake } from '@headroom-limits/client';
import type { RuleDraft } from './draft.ts';
import type { ConditionDraft } from './scope-draft.ts';

/** Fields of the form, by where the server says that a mistake is; the first that matches. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^(rule\.)?id$/, 'id'],
  [/^rule\.title\.zh$/, 'titleZh'],
  [/^rule\.title/, 'titleEn'],
  [/^rule\.(per|require|outcome|reasonCodes)/, '$1'],
  [/^rule\.(currency|digits|mode|from|to)$/, '$1'],
  [/^rule\.refunds/, 'refundsAmount'],
  [/^rule\.onExceed\.challenge/, 'challenge'],
  [/^rule\.onExceed/, 'onExceed'],
  [/^rule\.when\.days/, 'whenDays'],
  [/^rule\.when\.dates/, 'whenDates'],
  [/^rule\.when\.timeZone/, 'whenZone'],
  [/^rule\.when/, 'whenHours'],
  [/^rule\.window\.(timeZone|every|dayStart|weekStart|monthDay|step)$/, '$1'],
  [/^rule\.window\.closed\.dates/, 'closedDates'],
  [/^rule\.window\.closed/, 'closedDays'],
  [/^rule\.window\.since/, 'since'],
  [/^rule\.window\.(rolling|for)$/, 'span'],
  [/^rule\.window/, 'window'],
  [/^rule\.max\.(amount|count)\.by$/, '$1.by'],
  [/^rule\.max\.(amount|count)\.else$/, '$1.otherwise'],
  [/^rule\.max\.(count$|distinct\.)/, 'count'],
  [/^rule\.max\.distinct/, 'distinct'],
  [/^rule\.max(\.amount)?$/, 'amount'],
  [/^rule\.min\.count$/, 'minCount'],
  [/^rule\.min/, 'minAmount'],
  [/^reason$/, 'reason'],
];

/** Names the field of the form that a mistake is about; undefined where there is none. */
export function placeOf({ path }: RequestMistake, draft: RuleDraft): string | undefined {
  const [, list, not, name] =
    /^rule\.(match|counts|appliesTo|minus)(\.not)?\.(.*)$/.exec(path) ?? [];
  if (name !== undefined) {
    const rows = list === 'appliesTo' || list === 'minus' ? list : 'counts';
    return rowOf(draft[rows], rows, name, not !== undefined);
  }
  if (/^rule\.(match|counts)$/.test(path)) return 'counts';
  if (path === 'rule.appliesTo') return 'appliesTo';
  if (path === 'rule.minus') return 'minus';
  for (const [pattern, field] of PLACES) {
    const [all, part = ''] = pattern.exec(path) ?? [];
    if (all !== undefined) return inMaximum(field.replace('$1', part), draft);
  }
  const [, of, value] = /^rule\.max\.(amount|count)\.(.*)$/.exec(path) ?? [];
  if (of !== 'amount' && of !== 'count') return undefined;
  const row = draft[of].values.findIndex((each) => each.value.trim() === value);
  return row < 0 ? undefined : `${of}.values[${row}].most`;
}

function rowOf(
  rows: readonly ConditionDraft[],
  list: string,
  name: string,
  isNot: boolean,
): string | undefined {
  const row = rows.findIndex((each) => each.name.trim() === name && each.isNot === isNot);
  return row < 0 ? undefined : `${list}[${row}].values`;
}

/** A maximum as a whole is shown at its first field. */
function inMaximum(field: string, draft: RuleDraft): string {
  if (field !== 'amount' && field !== 'count') return field;
  return draft[field].by.trim() === '' ? `${field}.plain` : `${field}.by`;
}
