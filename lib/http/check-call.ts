import type { CheckAnswer } from '../limits/answer.ts';
import type { Limits } from '../limits/limits-types.ts';
import { refusedBy, shadowRefusedBy } from '../limits/report.ts';
import type { CheckRequest } from '../shared/request.ts';
import { checkAnswerJson } from './order-answer.ts';
import { checkRequestOf, checkSchema, namesUsedTwice } from './check-request.ts';
import { call } from './handler.ts';
import type { CallRecord } from './telemetry.ts';

/** The call `check`. */
export function checkCall(run: Limits['check'], passing?: Limits['passing']) {
  return call({
    name: 'check',
    needs: ['check'],
    takes: checkSchema,
    between: namesUsedTwice,
    read: (body, appId) => ({
      order: checkRequestOf(body, appId),
      report: body.report ?? ('all' as const),
    }),
    run: ({ order }, at, requestId) => run(order, at, requestId),
    late: (_request, error, at) => passing?.(error, at),
    write: (answer, _requestId, { report }) => checkAnswerJson(answer, report),
    tell(answer: CheckAnswer, _requestId, { order: request }) {
      if (answer.kind === 'undecided') return { outcome: 'undecided', fault: answer.cause };
      return {
        outcome: answer.kind,
        ...(answer.kind === 'allowed' ? { repeated: answer.repeated } : {}),
        ...toldOfChecks([{ request, answer }]),
      };
    },
  });
}

type Checked = { readonly request: CheckRequest; readonly answer: CheckAnswer };

/**
 * Names the rules that refused, and those that would have. It warns of orders that no rule applies to: a name
 * is mistyped (`RMB` for `CNY`), or a rule is missing. The warning has neither ids nor amounts.
 */
export function toldOfChecks(
  orders: readonly Checked[],
): Pick<CallRecord, 'refusedBy' | 'shadowRefusedBy' | 'withoutRules' | 'warning'> {
  const reports = orders.flatMap(({ answer }) => (answer.kind === 'undecided' ? [] : answer.rules));
  const refusing = refusedBy(reports);
  const wouldRefuse = shadowRefusedBy(reports);
  const [first, ...more] = orders.filter(({ answer }) => isWithoutRule(answer));
  return {
    ...(refusing.length === 0 ? {} : { refusedBy: refusing }),
    ...(wouldRefuse.length === 0 ? {} : { shadowRefusedBy: wouldRefuse }),
    ...(first && { withoutRules: 1 + more.length, warning: warningOf(first, more.length) }),
  };
}

/** A repeat was reported before. */
function isWithoutRule(answer: CheckAnswer): boolean {
  if (answer.kind === 'undecided') return false;
  if (answer.kind === 'refused') return answer.reason === 'no-rule';
  return answer.rules.length === 0 && !answer.repeated;
}

function warningOf({ request, answer }: Checked, more: number): string {
  const { type, currency, subjects } = request;
  const named = [
    ...(type === undefined ? [] : [`type ${type}`]),
    `currency ${currency}`,
    `subjects ${Object.keys(subjects).join(', ')}`,
  ];
  const others = more === 0 ? '' : `, and to ${more} more`;
  const isUnlimited = answer.kind !== 'undecided' && answer.rules.length > 0;
  const what = isUnlimited ? 'limits the amount of' : 'applies to';
  const end =
    answer.kind === 'refused'
      ? `refused (ON_NO_RULE=${isUnlimited ? 'refuse-unlimited' : 'refuse'})`
      : 'allowed without any limit (ON_NO_RULE=allow)';
  return `no rule ${what} an order of ${named.join('; ')}${others}: ${end}. Is a name mistyped, or a rule missing?`;
}
