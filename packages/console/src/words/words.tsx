import { useSearch } from '@tanstack/react-router';
import { createInstance } from 'i18next';
import { useMemo } from 'react';
import type { TOptions } from 'i18next';
import type { Digits } from '../data/digits.tsx';
import { useDigits } from '../data/digits.tsx';
import type { Word } from './en.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

/** Languages that the console and the API's sentences have. */
export const LANGUAGES = ['en', 'zh'] as const;
/** One of them. */
export type Language = (typeof LANGUAGES)[number];

const words = createInstance();
void words.init({
  lng: 'en',
  fallbackLng: 'en',
  // Names have dots of their own.
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  // React writes texts as texts.
  interpolation: { escapeValue: false, skipOnVariables: true },
  resources: { en: { translation: en }, zh: { translation: zh } },
});

/** Words of several numbers are named without their ending. */
type Plural<Name extends string> = Name extends `${infer Stem}_one` ? Stem : never;
/** What may be asked for. */
export type AnyWord = Word | Plural<Word>;

/** Gives a text of the language in the URL. */
export type Say = (word: AnyWord, values?: TOptions) => string;

/** How this person reads: the language, and texts in it. */
type LanguageReading = { readonly language: Language; readonly locale: string; readonly say: Say };
/** The same, and how amounts are scaled. */
export type Reading = LanguageReading & { readonly digits: Digits };

/** The language that the URL says, or else the browser's. */
export function languageOf(asked: unknown): Language {
  const wish = typeof asked === 'string' ? asked : navigator.language;
  return wish.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

/** The language that the address asks for, where no router has read it. */
export function languageAsked(): Language {
  const asked = new URLSearchParams(location.hash.split('?')[1]).get('lang');
  return languageOf(asked ?? undefined);
}

const READINGS: Readonly<Record<Language, LanguageReading>> = {
  en: { language: 'en', locale: 'en', say: sayIn('en') },
  zh: { language: 'zh', locale: 'zh-CN', say: sayIn('zh') },
};

function sayIn(language: Language): Say {
  const fixed = words.getFixedT(language);
  return (word, values) => fixed(word, values ?? {});
}

/** Gives the reading of a language, where there are no amounts. */
export function readingOf(language: Language): LanguageReading {
  return READINGS[language];
}

/** How the person reads who looks at this page. */
export function useReading(): Reading {
  const { lang } = useSearch({ strict: false }) as { readonly lang?: string };
  const language = languageOf(lang);
  const digits = useDigits();
  return useMemo(() => ({ ...readingOf(language), digits }), [language, digits]);
}
