import { unknownKindsText } from './output.ts';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CheckAnswer, CheckRequest } from '../packages/client/src/index.ts';
import { CommandError, UsageError } from './command-error.ts';
import { fileReason } from './file-reason.ts';
import { amountText, type Digits } from './money.ts';
import { rulesTable, termsText } from './rule-table.ts';
import { readAttributes, readNumber, readSubjects } from './words.ts';

/** The options of a dry run. */
export type DryRunOptions = {
  readonly amount?: string;
  readonly currency?: string;
  readonly type?: string;
  readonly count?: string;
  readonly attribute?: readonly string[];
  readonly proof?: readonly string[];
  readonly partialMin?: string;
  /** A file of the whole request; `-` is stdin. */
  readonly request?: string;
};

/**
 * Makes the request of a dry run. The service finds mistakes in it, as for every caller.
 *
 * @throws UsageError for what cannot become a request
 */
export function dryRunOf(words: readonly string[], options: DryRunOptions): CheckRequest {
  const { request, amount, currency, type, count, attribute, proof, partialMin } = options;
  const parts = { amount, currency, type, count, attribute, proof, 'partial-min': partialMin };
  const named = Object.entries(parts);
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
    ...(proof === undefined ? {} : { proofs: proof }),
    ...(partialMin === undefined
      ? {}
      : { partial: { min: readNumber('--partial-min', partialMin) } }),
    dryRun: true,
  };
}

/** An order that nobody has. */
function probeId(): string {
  return `dry-run-${randomUUID()}`;
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

/** Writes the answer of a dry run: what was decided, what would pass, and how each rule stands. */
export function checkText(answer: CheckAnswer, currency: string, digits: Digits): string {
  const { rules, now, undecided } = answer;
  const { frozen = [], unknownKinds } = { frozen: undefined, unknownKinds: undefined, ...answer };
  const lines = [`${decisionText(answer)}${partText(answer, currency, digits)}`];
  if (undecided === undefined) {
    const { amount, amountBy, earliestAt, earliestBy } = answer.headroom;
    const unproven = 'challenges' in answer ? ' without a proof' : '';
    const room =
      amount === null ? 'any amount' : `${amountText(amount, currency, digits)} ${currency}`;
    lines.push(
      `Now would pass${unproven}: ${room}${by(amountBy)}. This one: ${earliestAt ?? 'never'}${by(earliestBy)}.`,
    );
  }
  if (rules.length > 0) lines.push(`\n${rulesTable(rules, currency, digits)}`);
  lines.push(`\n${unknownKindsText(unknownKinds)}${termsText(rules, frozen)}at ${now}`);
  return lines.join('\n');
}

/** How much of the amount passes; nothing where it is all of it. */
function partText(answer: CheckAnswer, currency: string, digits: Digits): string {
  if (!('asked' in answer)) return '';
  const { amount, asked, amountBy } = answer;
  if (amount === undefined || amount === asked) return '';
  const [part, whole] = [amount, asked].map((one) => amountText(one, currency, digits));
  return `: ${part} of ${whole} ${currency}${by(amountBy ?? [])}`;
}

/** Names the rules that something comes from. */
function by(rules: readonly string[]): string {
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`;
}

function decisionText(answer: CheckAnswer): string {
  const { decision, refusedBy, shadowRefusedBy } = answer;
  const tried = shadowRefusedBy.length === 0 ? '' : `; on trial, ${shadowRefusedBy.join(', ')} too`;
  if (decision === 'allowed') {
    const above = 'exceeded' in answer ? (answer.exceeded ?? []).map(({ rule }) => rule) : [];
    const told = above.length === 0 ? '' : `, above ${above.join(', ')}, which only notifies`;
    return `allowed${told}${shadowRefusedBy.length === 0 ? '' : `; on trial, ${shadowRefusedBy.join(', ')} would refuse`}`;
  }
  switch (answer.reason) {
    case 'no-rule':
      return answer.rules.length === 0
        ? 'refused: no rule applies to it'
        : 'refused: no rule limits its amount';
    case 'frozen':
      return 'refused: a subject is frozen';
    case 'challenge':
      return `refused by ${refusedBy.join(', ')}: passes with ${(answer.challenges ?? []).map((proof) => `the proof ${proof}`).join(' and ')}${tried}`;
    case 'review':
      return `refused by ${refusedBy.join(', ')}: passes once a second person approves it${tried}`;
    case 'rejected':
      return `refused by ${refusedBy.join(', ')}: a second person rejected it${tried}`;
    case 'rule':
      return `refused by ${refusedBy.join(', ')}${tried}`;
  }
}
