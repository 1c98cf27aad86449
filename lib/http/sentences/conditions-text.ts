import type { Scope } from '../../rule/rule.ts';
import type { Language } from '../../shared/language.ts';

/** What stands between a name and its values, between values, and between conditions. */
const WORDS = {
  en: { is: ' is ', not: ' is not ', or: ' or ', and: ' and ' },
  zh: { is: ' 为 ', not: ' 不为 ', or: ' 或 ', and: '，且 ' },
} as const;

/** Says of which payments a rule is: `type is TRANSFER and verified is not true`. Nothing where it is of all. */
export function conditionsText({ is, not }: Scope, language: Language): string {
  const words = WORDS[language];
  const each = (matched: Scope['is'], verb: string): readonly string[] =>
    Object.entries(matched).map(
      ([name, values]) => `${name}${verb}${values.map(String).join(words.or)}`,
    );
  return [...each(is, words.is), ...each(not, words.not)].join(words.and);
}
