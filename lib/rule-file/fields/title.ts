import * as z from 'zod/mini';
import { LANGUAGE_LENGTH_MAX, TITLE_LANGUAGES_MAX } from '../../shared/bounds.ts';
import { entriesFrom, text } from '../../schema/fields.ts';
import { referenceTo, said } from '../../schema/said.ts';
import type { RuleField } from './rule-field.ts';
import { wrongPrototypes } from './scopes.ts';

/** BCP 47's code for a title without a language. */
const UNDETERMINED = 'und';

/** A code of a language: BCP 47, as far as titles need it. */
export const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;
const TITLES_EXPECTED = `a text, or an object of at most ${TITLE_LANGUAGES_MAX} languages (en, zh, zh-Hant; at most ${LANGUAGE_LENGTH_MAX} characters) to texts`;
const titles = said(
  z.pipe(
    entriesFrom<Readonly<Record<string, string>>>(0, TITLE_LANGUAGES_MAX, TITLES_EXPECTED),
    z.record(z.custom<string>(isLanguage), text(), { error: TITLES_EXPECTED }),
  ),
  undefined,
  referenceTo('Titles'),
);

function isLanguage(name: unknown): name is string {
  return typeof name === 'string' && name.length <= LANGUAGE_LENGTH_MAX && LANGUAGE.test(name);
}

const schema = z.optional(
  said(z.union([text(), titles], { error: TITLES_EXPECTED }), 'A text, or one by language.'),
);

/** The field `title`. */
export const title = {
  schema,
  becomes: (given) => ({ title: typeof given === 'string' ? { [UNDETERMINED]: given } : given }),
  otherwise: { title: {} },
  between: (find) => wrongPrototypes(find, ['title']),
  raise: 'never',
} satisfies RuleField<typeof schema>;
