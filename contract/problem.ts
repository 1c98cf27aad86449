import * as z from 'zod/mini';
import { MISTAKES_MAX } from '../lib/shared/bounds.ts';
import { said } from '../lib/schema/said.ts';
import * as say from './words.ts';
import { problemCodes } from './problem-kinds.ts';

/** The answer of a call that fails. */

const fields = {
  type: said(z.string().check(z.regex(/^urn:headroom:problem:[a-z-]+$/)), 'Names the code.'),
  title: say.text('A short text for the code.'),
  status: say.whole('The HTTP status.', 400, 599),
  detail: say.text('The problem in this call, and the way to solve it.'),
  requestId: say.text('The `X-Request-Id` of the call. Logs and audit rows name the call by it.'),
};
const CODE = 'Public and stable.';
const coded = <const Code extends string>(code: Code) => said(say.only(code), CODE);

const invalidRequest = say.named('InvalidRequest', 'The request is not valid.', {
  ...fields,
  code: coded('INVALID_REQUEST'),
  errors: said(
    z
      .array(
        say.named(
          'RequestMistake',
          'One mistake in the request.',
          {
            path: say.text('The place of the mistake: `orders[3].amount`.'),
            expected: say.text('The value that Headroom expected.'),
          },
          { value: say.text('The value found, shortened. Absent if there was none.') },
        ),
      )
      .check(z.minLength(1), z.maxLength(MISTAKES_MAX)),
    'The mistakes, at most 50. If there are more, `detail` says how many.',
  ),
});

const refundTooLarge = say.named(
  'RefundTooLarge',
  'The refund is larger than the rest of the payment.',
  {
    ...fields,
    code: coded('REFUND_TOO_LARGE'),
    remaining: say.sum('The amount that you may still refund, in minor units.'),
  },
);

const incompleteOrder = say.named('IncompleteOrder', 'The order lacks what a rule requires.', {
  ...fields,
  code: coded('INCOMPLETE_ORDER'),
  missing: say.list(
    say.text('A subject kind, the name of an attribute, or `type`.'),
    'The names that the rules require and the order does not have.',
  ),
});

const OWN = ['INVALID_REQUEST', 'REFUND_TOO_LARGE', 'INCOMPLETE_ORDER'] as const;
type Own = (typeof OWN)[number];
const others = problemCodes().filter(
  (code): code is Exclude<typeof code, Own> => !OWN.some((own) => own === code),
);

/** A problem: RFC 9457. */
export const problem = say.either('Problem', 'RFC 9457.', [
  say.named('OtherProblem', 'A problem with any other code.', {
    ...fields,
    code: say.oneOf(others, CODE),
  }),
  invalidRequest,
  refundTooLarge,
  incompleteOrder,
]);

/** The answer of API Gateway in place of a function. */
export const gatewayMessage = say.named(
  'GatewayMessage',
  'An answer of API Gateway itself, without a code.',
  {},
  { message: say.text('A short text, such as `Forbidden`.') },
);
