import { AMOUNT_MINOR_MAX } from '../../lib/shared/bounds.ts';
import type { JsonObject } from './json.ts';
import { FAULT } from '../../lib/http/problems.ts';
import { PROBLEM_KINDS, type ProblemCode } from '../../contract/problem-kinds.ts';

const EXPECTED = `a whole number from 0 to ${AMOUNT_MINOR_MAX}`;

/** The fields of a problem beside its title, where that alone would show too little. */
const SHOWN: Readonly<Partial<Record<ProblemCode, JsonObject>>> = {
  INVALID_REQUEST: {
    detail: `amount is -1, expected ${EXPECTED}`,
    errors: [{ path: 'amount', value: '-1', expected: EXPECTED }],
  },
  INCOMPLETE_ORDER: {
    detail:
      'the order lacks verified, required by kyc-day; nothing is held: send each as a subject, an attribute or the type',
    missing: ['verified'],
  },
  REFUND_TOO_LARGE: { detail: 'more than what may still be refunded', remaining: 300 },
};

/** A problem as it is answered, of each code: components, to which answers refer. */
export function problemExamples(codes: readonly ProblemCode[]): JsonObject {
  return Object.fromEntries(
    codes.map((code) => {
      const { status, title } = code === 'INTERNAL' ? FAULT : PROBLEM_KINDS[code];
      const value = {
        type: `urn:headroom:problem:${code.toLowerCase().replaceAll('_', '-')}`,
        title,
        status,
        detail: title.charAt(0).toLowerCase() + title.slice(1),
        code,
        requestId: '0b9f4c1e-7d2a-4f0c-9a59-0c3f7f1d2b6e',
        ...SHOWN[code],
      };
      return [code, { value }];
    }),
  );
}

/** The examples of an answer that is one of these problems. */
export function exampleReferences(codes: readonly ProblemCode[]): JsonObject {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
