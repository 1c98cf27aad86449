import type { CalendarUnit, CalendarWindow, Window } from '../../rules/rule.ts';
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
      return language === 'en' ? calendarInEnglish(window) : calendarInChinese(window);
  }
}

const DAYS_ZH = {
  monday: '周一',
  tuesday: '周二',
  wednesday: '周三',
  thursday: '周四',
  friday: '周五',
  saturday: '周六',
  sunday: '周日',
} as const;

const UNITS_ZH: Readonly<Record<CalendarUnit, string>> = {
  minute: '分钟',
  hour: '小时',
  day: '天',
  week: '周',
  month: '个月',
  quarter: '个季度',
  year: '年',
};

function calendarInEnglish(window: CalendarWindow): string {
  const { unit, every, timeZone, dayStartMinutes, weekStart, monthDay } = window;
  const article = unit === 'hour' ? 'an' : 'a';
  const begins = [
    ...(weekStart === 'monday' || unit !== 'week' ? [] : [`on ${weekStart}`]),
    ...(monthDay === 1 ? [] : [`on day ${monthDay}`]),
    ...(dayStartMinutes === 0 ? [] : [`at ${timeOfDay(dayStartMinutes)}`]),
  ];
  const period = every === 1 ? `${article} ${unit}` : `every ${every} ${unit}s`;
  const beginning = begins.length === 0 ? '' : ` (beginning ${begins.join(' ')})`;
  return `${period} in ${timeZone}${beginning}`;
}

function calendarInChinese(window: CalendarWindow): string {
  const { unit, every, timeZone, dayStartMinutes, weekStart, monthDay } = window;
  const begins = [
    ...(weekStart === 'monday' || unit !== 'week' ? [] : [DAYS_ZH[weekStart]]),
    ...(monthDay === 1 ? [] : [`${monthDay}日`]),
    ...(dayStartMinutes === 0 ? [] : [timeOfDay(dayStartMinutes)]),
  ];
  const period =
    every === 1 ? `每${UNITS_ZH[unit].replace('个', '')}` : `每${every}${UNITS_ZH[unit]}`;
  const beginning = begins.length === 0 ? '' : `，${begins.join('')}起算`;
  return `${period}（${timeZone}${beginning}）`;
}

function timeOfDay(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

const SPANS = [
  { ms: 86_400_000, en: 'day', zh: '天' },
  { ms: 3_600_000, en: 'hour', zh: '小时' },
  { ms: 60_000, en: 'minute', zh: '分钟' },
  { ms: 1_000, en: 'second', zh: '秒' },
] as const;

/** A span in the largest unit that it is whole in, one of at least two: `24 hours`, `7 days`. */
function spanText(spanMs: number, language: Language): string {
  const [first, ...smaller] = SPANS.filter(({ ms }) => spanMs % ms === 0);
  const found = first?.ms === spanMs ? (smaller[0] ?? first) : first;
  if (found === undefined) return language === 'en' ? `${spanMs} milliseconds` : `${spanMs}毫秒`;
  const number = spanMs / found.ms;
  if (language === 'zh') return `${number}${found.zh}`;
  return `${number} ${found.en}${number === 1 ? '' : 's'}`;
}
