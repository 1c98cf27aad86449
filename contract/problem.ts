import * as z from 'zod/mini';
import { MISTAKES_MAX } from '../lib/shared/bounds.ts';
import { problemCodes } from '../lib/http/problems.ts';
import { said } from '../lib/http/said.ts';
import * as say from './words.ts';

/** What is answered where a call fails. */

const fields = {
  type: said(z.string().check(z.regex(/^urn:headroom:problem:[a-z-]+$/)), 'Names the code.'),
  title: say.text('What the code means.'),
  status: say.whole("HTTP's.", 400, 599),
  detail: say.text('What is wrong here, and what to do: one sentence.'),
  requestId: say.text('As in `X-Request-Id`: by it logs and audit rows name the call.'),
};
const CODE = 'Public and stable.';
const coded = <const Code extends string>(code: Code) => said(say.only(code), CODE);

const invalidRequest = say.named('InvalidRequest', 'The request is not understood.', {
  ...fields,
  code: coded('INVALID_REQUEST'),
  errors: said(
    z
      .array(
        say.named(
          'RequestMistake',
          'One place where the request is not what it must be.',
          {
            path: say.text('Where: `orders[3].amount`.'),
            expected: say.text('What should stand there.'),
          },
          { value: say.text('What stands there, shortened; absent where nothing does.') },
        ),
      )
      .check(z.minLength(1), z.maxLength(MISTAKES_MAX)),
    'Every mistake, the first 50; `detail` says how many more there are.',
  ),
});

const refundTooLarge = say.named('RefundTooLarge', 'More than is left to refund.', {
  ...fields,
  code: coded('REFUND_TOO_LARGE'),
  remaining: say.sum('What may still be refunded, in minor units.'),
});

const others = problemCodes().filter(
  (code) => code !== 'INVALID_REQUEST' && code !== 'REFUND_TOO_LARGE',
);

/** A problem: RFC 9457. */
export const problem = say.either('Problem', 'RFC 9457.', [
  say.named('OtherProblem', 'Of every other code.', { ...fields, code: say.oneOf(others, CODE) }),
  invalidRequest,
  refundTooLarge,
]);

/** What API Gateway answers in place of a function. */
export const gatewayMessage = say.named(
  'GatewayMessage',
  'What API Gateway says.',
  {},
  { message: say.text('`Forbidden`, say.') },
);
