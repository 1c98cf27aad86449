import * as z from 'zod/mini';
import { said } from '../../schema/said.ts';
import type { Language } from '../../shared/language.ts';
import { LANGUAGES } from '../../shared/language.ts';

/** The language of sentences. Default: English. */
export const language = () =>
  z.optional(
    said(
      z.pipe(
        z.string({ error: 'a text as Accept-Language has it, such as zh' }),
        z.transform((accepted: string) => languageFor(accepted)),
      ),
      'The language of sentences: Chinese (`zh`) if you prefer it, else English (`en`).',
    ),
  );

/** A browser sends less. */
const ACCEPTED_LENGTH_MAX = 1_000;

/**
 * Chooses the known language with the highest weight, the first of several; else English.
 * Source: RFC 9110, 12.5.4; a range fits what begins with it, so `zh-Hans-CN` is `zh`.
 */
export function languageFor(accepted: unknown): Language {
  if (typeof accepted !== 'string') return 'en';
  let best: { readonly language: Language; readonly weight: number } | undefined;
  for (const range of accepted.slice(0, ACCEPTED_LENGTH_MAX).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = LANGUAGES.find((each) => tag === each || tag.startsWith(`${each}-`));
    const weight = weightOf(parameters);
    if (language !== undefined && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? 'en';
}

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (given === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 0;
}
