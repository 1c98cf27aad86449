import * as z from 'zod/mini';
import { byForm } from '../../schema/fields.ts';
import { ownField } from '../../schema/mistakes.ts';
import { referenceTo, said } from '../../schema/said.ts';
import type { ObjectForm } from '../../rule/windows/window-kind.ts';
import type { Window } from '../../rule/windows/windows.ts';
import { WINDOWS, windowKey, wrongWindows } from '../../rule/windows/windows.ts';
import type { RuleField } from './rule-field.ts';

/** A kind of window that a rule file says by its name alone. */
type WordKind = {
  [Kind in keyof typeof WINDOWS]: (typeof WINDOWS)[Kind] extends { readonly form: unknown }
    ? never
    : Kind;
}[keyof typeof WINDOWS];

type Kind = { readonly begins: boolean; readonly form?: ObjectForm<Window> };
const KINDS: readonly (readonly [string, Kind])[] = Object.entries(WINDOWS);
const OBJECTS = KINDS.flatMap(([, { form = [] }]) => form);
const WORDS = KINDS.filter(([, { form }]) => form === undefined).map(
  ([name]) => name as WordKind, // which has no other form
);

const [LAST = '', ...FIRST] = [...WORDS, ...OBJECTS.map(({ expected }) => expected)].reverse();
const WINDOW_EXPECTED = `${FIRST.reverse().join(', ')}, or ${LAST}`;

const words = z.enum(WORDS);
const word = z.pipe(
  z.enum(WORDS, { error: WINDOW_EXPECTED }),
  z.transform((kind): Window => ({ kind })),
);

/** The window of a rule. */
const schema = said(
  byForm<Window>(
    (value) => OBJECTS.find(({ mark }) => ownField(value, mark) !== undefined)?.reads ?? word,
  ),
  'The window over which the maximum counts.',
  referenceTo('WindowOfRule'),
);

/** The field `window`. Where its count of units begins, `from` says. */
export const window = {
  schema,
  becomes: (given) => ({ window: given }),
  between: wrongWindows,
  counter: (rule) => windowKey(rule.window),
} satisfies RuleField<typeof schema>;

/** Each form of a window, with the descriptions of its fields, for the JSON schema. */
export const WINDOW_FORMS = [words, ...OBJECTS.map(({ takes }) => takes)] as const;
