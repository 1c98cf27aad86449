import { digitsOf, isoDigits } from '../lib/shared/currency.ts';
import type { CallerAnswer } from '../packages/client/src/index.ts';
import type { Digits } from './money.ts';
import { callOnce, type OnceOptions } from './call-once.ts';
import { printJson } from './output.ts';

/** Prints an answer: as JSON for programs, or as people read it. */
export async function printAnswer<Answer>(
  answer: Answer,
  options: Pick<OnceOptions, 'url' | 'json'>,
  textOf: (answer: Answer, digits: Digits) => string,
): Promise<void> {
  if (options.json === true) printJson(answer);
  else console.log(textOf(answer, await digitsFor(answer, options)));
}

/**
 * Finds the digits of all currencies in an answer. Only the service knows those that ISO 4217 does not have:
 * it is asked where there is one.
 *
 * @throws CommandError where it does not say
 */
export async function digitsFor(
  answer: unknown,
  { url }: Pick<OnceOptions, 'url'>,
): Promise<Digits> {
  const isPrivate = currenciesIn(answer).some((code) => isoDigits(code) === undefined);
  if (!isPrivate) return digitsOf;
  const asked = { function: 'proposals', request: { operation: 'caller' } } as const;
  const { currencies } = await callOnce<CallerAnswer>(
    'Not read',
    url === undefined ? {} : { url },
    asked,
  );
  return (code) =>
    digitsOf(code, Object.hasOwn(currencies, code) ? currencies[code]?.digits : undefined);
}

/** Every text that a field `currency` has, but for that of no currency. */
function currenciesIn(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) =>
    name === 'currency' && typeof value === 'string'
      ? [value].filter((code) => code !== 'XXX')
      : currenciesIn(value),
  );
}
