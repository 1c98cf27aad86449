import type { TermsChangeAnswer } from '../packages/client/src/index.ts';
import { callOnce, type OnceOptions } from './call-once.ts';
import { DONE, NOT_DONE } from './exit-codes.ts';
import type { Digits } from './money.ts';
import { printAnswer } from './print-answer.ts';

/** One call about a subject's terms; `fields` are those of its body, or of its query. */
export type TermsCall = {
  readonly operation:
    | 'terms'
    | 'changes'
    | 'findOverride'
    | 'override'
    | 'endOverride'
    | 'freeze'
    | 'unfreeze';
  readonly kind: string;
  readonly id: string;
  readonly rule?: string | undefined;
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** Says whether a call changes nothing. */
export function isAsking({ operation }: Pick<TermsCall, 'operation'>): boolean {
  return operation === 'terms' || operation === 'changes' || operation === 'findOverride';
}

const OPEN = 'Perhaps it was changed: headroom terms with --changes shows it';

/**
 * Makes a call about a subject's terms.
 *
 * @returns the answer, whose shape is that of its route
 * @throws CommandError where there is no answer
 */
export function callTerms<Answer>(
  notDone: string,
  options: OnceOptions,
  call: TermsCall,
): Promise<Answer> {
  const { operation, kind, id, rule, fields } = call;
  const named = rule === undefined ? {} : { rule };
  return callOnce(notDone, options, {
    function: 'subjects',
    request: { operation, kind, id, ...named, ...fields },
    ...(isAsking(call) ? {} : { open: OPEN }),
  });
}

/**
 * Makes a call about a subject's terms, and prints the terms after it.
 *
 * @returns how the command ends: a change that waits for a second person is not done
 */
export async function changeTerms(
  notDone: string,
  options: OnceOptions,
  call: TermsCall,
  textOf: (answer: TermsChangeAnswer, digits: Digits, url?: string) => string,
): Promise<number> {
  const answer = await callTerms<TermsChangeAnswer>(notDone, options, call);
  await printAnswer(answer, options, (one, digits) => textOf(one, digits, options.url));
  return 'proposal' in answer ? NOT_DONE : DONE;
}
