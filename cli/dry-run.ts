import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AttributeValue, CheckRequest } from '../packages/client/src/index.ts';
import { attributeOf } from './attribute-text.ts';
import { CommandError, UsageError } from './command-error.ts';
import { fileReason } from './file-reason.ts';
import { readNumber } from './numbers.ts';
import { readSubjects } from './subjects.ts';

/** The options of a dry run. */
export type DryRunOptions = {
  readonly amount?: string;
  readonly currency?: string;
  readonly type?: string;
  readonly count?: string;
  readonly attribute?: readonly string[];
  /** A file of the whole request; `-` is stdin. */
  readonly request?: string;
};

/**
 * Makes the request of a dry run. The service finds mistakes in it, as for every caller.
 *
 * @throws UsageError for what cannot become a request
 */
export function dryRunOf(words: readonly string[], options: DryRunOptions): CheckRequest {
  const { request, amount, currency, type, count, attribute } = options;
  const named = Object.entries({ amount, currency, type, count, attribute });
  const given = named.filter(([, value]) => value !== undefined).map(([name]) => `--${name}`);
  if (request !== undefined) {
    const [surplus] = [...words, ...given];
    if (surplus !== undefined)
      throw new UsageError(`${surplus} stands beside --request, which has the whole request.`);
    const whole = readRequestFile(request);
    return { ...whole, orderId: whole.orderId ?? probeId(), dryRun: true };
  }
  if (words.length === 0) throw new UsageError('Which subjects? Expected some, such as user:u-1.');
  if (amount === undefined || currency === undefined)
    throw new UsageError('Expected --amount, in minor units, and --currency.');
  return {
    orderId: probeId(),
    subjects: readSubjects(words),
    amount: readNumber('--amount', amount),
    currency,
    ...(type === undefined ? {} : { type }),
    ...(count === undefined ? {} : { count: readNumber('--count', count) }),
    ...(attribute === undefined ? {} : { attributes: readAttributes(attribute) }),
    dryRun: true,
  };
}

/** An order that nobody has. */
function probeId(): string {
  return `dry-run-${randomUUID()}`;
}

/** Reads attributes, each as `name=value`. @throws UsageError for what is none */
export function readAttributes(words: readonly string[]): Record<string, AttributeValue> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`--attribute is ${JSON.stringify(word)}, expected name=value.`);
      return [name, attributeOf(value)];
    }),
  );
}

/** The service reads it, and says what is wrong. */
function readRequestFile(
  path: string,
): Omit<CheckRequest, 'orderId'> & { readonly orderId?: string } {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new CommandError(`Not asked: ${path} cannot be read: ${fileReason(error)}.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as CheckRequest; // whatever it is, the service reads it
  } catch {
    // Said below.
  }
  throw new CommandError(`Not asked: ${path} is no JSON object, expected a request.`);
}
