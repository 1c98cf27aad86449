import * as z from 'zod/mini';
import { choice, instant } from '../../schema/fields.ts';
import { readInstant } from '../../schema/instant.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { Language } from '../../shared/language.ts';
import { RULE_MODES } from '../../rule/rule.ts';
import type { RuleField } from './rule-field.ts';

/* Whether and when a rule is in effect. */

const modes = z.optional(choice(RULE_MODES, 'Default: `enforce`.'));

const MODE_TEXT = {
  enforce: { en: '', zh: '' },
  shadow: { en: 'on trial', zh: '试运行' },
  draft: { en: 'a draft', zh: '草稿' },
  retired: { en: 'retired', zh: '已停用' },
} as const satisfies Readonly<
  Record<(typeof RULE_MODES)[number], Readonly<Record<Language, string>>>
>;

/** The field `mode`. */
export const mode = {
  schema: modes,
  becomes: (given) => ({ mode: given }),
  otherwise: { mode: 'enforce' },
  raise: 'compared',
  clauses: (rule, language) => {
    const text = MODE_TEXT[rule.mode][language];
    return text === '' ? [] : [text];
  },
} satisfies RuleField<typeof modes>;

const starts = z.optional(instant('The start of the rule.'));

/** The field `from`. */
export const from = {
  schema: starts,
  becomes: (given) => ({ from: given }),
  clauses(rule, language, wallText) {
    if (rule.from === undefined) return [];
    const at = wallText(rule.from);
    return [language === 'en' ? `from ${at}` : `自${at}起`];
  },
} satisfies RuleField<typeof starts>;

const ends = z.optional(
  instant('The end of the rule, after `from`: the first instant at which it no longer applies.'),
);

/** The field `to`. */
export const to = {
  schema: ends,
  becomes: (given) => ({ to: given }),
  between: wrongEnd,
  clauses(rule, language, wallText) {
    if (rule.to === undefined) return [];
    const at = wallText(rule.to);
    return [language === 'en' ? `before ${at}` : `至${at}止`];
  },
} satisfies RuleField<typeof ends>;

function* wrongEnd(find: Find): Generator<Wrong> {
  const [start, end] = [readInstant(find('from')), readInstant(find('to'))];
  if (start !== undefined && end !== undefined && start >= end)
    yield [['to'], 'an instant after from'];
}
