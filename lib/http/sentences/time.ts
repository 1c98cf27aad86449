import type { Language } from '../../shared/language.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', zh: 'zh-CN' };

const MINUTE_MS = 60_000;

/** Writes an instant on the wall clock of the zone that its sentence names: `Nov 22, 2026, 00:00 Asia/Shanghai`. */
export function wallText(at: Date, timeZone: string, language: Language): string {
  const isWhole = at.getTime() % MINUTE_MS === 0;
  const text = new Intl.DateTimeFormat(LOCALES[language], {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: isWhole ? undefined : '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(at);
  return language === 'en' ? `${text} ${timeZone}` : `${text}（${timeZone}）`;
}
