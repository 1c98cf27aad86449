import { callOnce, type OnceOptions } from './call-once.ts';

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

const ASKING: ReadonlySet<TermsCall['operation']> = new Set(['terms', 'changes', 'findOverride']);
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
  { operation, kind, id, rule, fields }: TermsCall,
): Promise<Answer> {
  const named = rule === undefined ? {} : { rule };
  return callOnce(notDone, options, {
    function: 'subjects',
    request: { operation, kind, id, ...named, ...fields },
    ...(ASKING.has(operation) ? {} : { open: OPEN }),
  });
}
