import type { RefusalReason } from '../limits/answer.ts';
import type { CheckAnswer } from '../limits/answer.ts';
import type { Limits } from '../limits/limits-types.ts';
import type { RuleReport } from '../limits/report.ts';
import { refusedBy, shadowRefusedBy } from '../limits/report.ts';
import type { CheckRequest } from '../shared/request.ts';
import { checkAnswerJson } from './order-answer.ts';
import { checkRequestOf, checkSchema, namesUsedTwice } from './check-request.ts';
import { call } from './handler.ts';
import type { CallRecord } from './telemetry.ts';

/** The call `check`, as it is read and written. */
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
        ...toldOfRules([answer]),
        ...warnedOfNoRule([{ request, answer }]),
      };
    },
  });
}

/**
 * Warns of orders that no rule applies to, whatever becomes of them: a name is mistyped (`RMB` for
 * `CNY`), or a rule is missing. It says names that rules have, too, and neither ids nor amounts.
 */
export function warnedOfNoRule(
  orders: readonly { readonly request: CheckRequest; readonly answer: CheckAnswer }[],
): Pick<CallRecord, 'warning'> {
  const [first, ...more] = orders.filter(({ answer }) => isWithoutRule(answer));
  if (first === undefined) return {};
  const { answer } = first;
  const { type, currency, subjects } = first.request;
  const named = [
    ...(type === undefined ? [] : [`type ${type}`]),
    `currency ${currency}`,
    `subjects ${Object.keys(subjects).join(', ')}`,
  ];
  const others = more.length === 0 ? '' : `, and to ${more.length} more`;
  const isUnlimited = answer.kind !== 'undecided' && answer.rules.length > 0;
  const what = isUnlimited ? 'limits the amount of' : 'applies to';
  const end =
    answer.kind === 'refused'
      ? `refused (ON_NO_RULE=${isUnlimited ? 'refuse-unlimited' : 'refuse'})`
      : 'allowed without any limit (ON_NO_RULE=allow)';
  return {
    warning: `no rule ${what} an order of ${named.join('; ')}${others}: ${end}. Is a name mistyped, or a rule missing?`,
  };
}

/** An order that was allowed before was reported then. */
function isWithoutRule(answer: CheckAnswer): boolean {
  if (answer.kind === 'undecided') return false;
  if (answer.kind === 'refused') return answer.reason === 'no-rule';
  return answer.rules.length === 0 && !answer.repeated;
}

/** Names the rules that refused, and those that would have, each once; counts what met no rule. */
export function toldOfRules(
  answers: readonly {
    readonly rules: readonly RuleReport[];
    readonly reason?: RefusalReason;
  }[],
): Pick<CallRecord, 'refusedBy' | 'shadowRefusedBy' | 'withoutRules'> {
  const reports = answers.flatMap(({ rules }) => rules);
  const withoutRules = answers.filter(
    ({ rules, reason }) => rules.length === 0 || reason === 'no-rule',
  ).length;
  const refusing = refusedBy(reports);
  const wouldRefuse = shadowRefusedBy(reports);
  return {
    ...(refusing.length === 0 ? {} : { refusedBy: refusing }),
    ...(wouldRefuse.length === 0 ? {} : { shadowRefusedBy: wouldRefuse }),
    ...(withoutRules === 0 ? {} : { withoutRules }),
  };
}
