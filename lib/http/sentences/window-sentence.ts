import type { CalendarUnit, CalendarWindow, WeekDay, Window } from '../../rules/rule.ts';
import { WEEK_DAYS } from '../../rules/rule.ts';
import type { Language } from './language.ts';

/** Says over what a rule sums: `a day in Asia/Shanghai`, `in any 24 hours`, `每天（Asia/Shanghai）`. */
export function windowSentence(window: Window, language: Language): string {
  switch (window.kind) {
    case 'transaction':
      return language === 'en' ? 'in one payment' : '单笔';
    case 'lifetime':
      return language === 'en' ? 'ever' : '累计';
    case 'rolling': {
      const span = spanText(window.spanMs, language);
      return language === 'en' ? `in any ${span}` : `任意${span}内`;
    }
    case 'calendar':
      return calendarSentence(window, language);
  }
}

const UNITS_ZH: Readonly<Record<CalendarUnit, string>> = {
  minute: '分钟',
  hour: '小时',
  day: '天',
  week: '周',
  month: '个月',
  quarter: '个季度',
  year: '年',
};

function calendarSentence(window: CalendarWindow, language: Language): string {
  const { unit, every, timeZone, dayStartMinutes, weekStart, monthDay } = window;
  const isEnglish = language === 'en';
  const time = timeOfDay(dayStartMinutes);
  const begins = [
    ...(weekStart === 'monday' || unit !== 'week'
      ? []
      : [isEnglish ? `on ${weekStart}` : dayInChinese(weekStart)]),
    ...(monthDay === 1 ? [] : [isEnglish ? `on day ${monthDay}` : `${monthDay}日`]),
    ...(dayStartMinutes === 0 ? [] : [isEnglish ? `at ${time}` : time]),
  ];
  if (isEnglish) {
    const period =
      every === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit}` : `every ${every} ${unit}s`;
    return `${period} in ${timeZone}${begins.length === 0 ? '' : ` (beginning ${begins.join(' ')})`}`;
  }
  const period = every === 1 ? UNITS_ZH[unit].replace('个', '') : `${every}${UNITS_ZH[unit]}`;
  return `每${period}（${timeZone}${begins.length === 0 ? '' : `，${begins.join('')}起算`}）`;
}

/** `周三`; the fifth of January 1970 was a Monday. */
function dayInChinese(day: WeekDay): string {
  const date = Date.UTC(1970, 0, 5 + WEEK_DAYS.indexOf(day));
  return new Intl.DateTimeFormat('zh-CN', { weekday: 'short', timeZone: 'UTC' }).format(date);
}

function timeOfDay(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

const SPANS = [
  { ms: 86_400_000, unit: 'day' },
  { ms: 3_600_000, unit: 'hour' },
  { ms: 60_000, unit: 'minute' },
  { ms: 1_000, unit: 'second' },
] as const;

/** A span in the largest unit that it is whole in, one of at least two: `24 hours`, `7 days`. */
function spanText(spanMs: number, language: Language): string {
  const [first, ...smaller] = SPANS.filter(({ ms }) => spanMs % ms === 0);
  const found = first?.ms === spanMs ? (smaller[0] ?? first) : first;
  const { unit, ms } = found ?? { unit: 'millisecond', ms: 1 };
  const [locale, unitDisplay] =
    language === 'en' ? (['en', 'long'] as const) : (['zh-CN', 'short'] as const);
  const options = { style: 'unit', unit, unitDisplay, useGrouping: false } as const;
  return new Intl.NumberFormat(locale, options).format(spanMs / ms);
}
