import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import type { ANSWERS } from '../../contract/answers.ts';
import type * as client from '../../packages/client/src/index.ts';
import { PROBLEM_CODES } from '../../packages/client/src/index.ts';
import type { RefusalReason } from '../../lib/limits/answer.ts';
import type { Actor } from '../../lib/shared/actor.ts';
import type { AuditRow } from '../../lib/audit/audit.ts';
import type { COUNTER_PARTS } from '../../lib/rule-file/fields/fields.ts';
import type { RowsQuery } from '../../lib/audit/history/history.ts';
import type { OrderStatus } from '../../lib/audit/order-status.ts';
import type { RuleOutcome } from '../../lib/limits/report.ts';
import type { RuleChange } from '../../lib/changes/rule-change.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { CalendarWindow } from '../../lib/rule/calendar.ts';
import type { Window } from '../../lib/rule/windows/windows.ts';
import type { TermsWish } from '../../lib/changes/terms-change.ts';
import type { ReportScope, checkSchema } from '../../lib/http/check-request.ts';
import type { Call } from '../../lib/http/handler.ts';
import type {
  summarySchema,
  transactionsSchema,
  usageHistorySchema,
} from '../../lib/audit/history/history-request.ts';
import type { checksSchema, settlementsSchema } from '../../lib/http/many-request.ts';
import type { recordSchema } from '../../lib/record/record-request.ts';
import type { refundSchema } from '../../lib/audit/refunds/refund-request.ts';
import type { confirmSchema, rollbackSchema } from '../../lib/http/settle-request.ts';
import type { statusSchema } from '../../lib/audit/status-call.ts';
import type { PROPOSALS_TAKE } from '../../lib/proposals/proposals-handler.ts';
import type { TERMS_TAKE } from '../../lib/terms/terms-request.ts';
import type { nearSchema } from '../../lib/near/near-call.ts';
import type { usageSchema } from '../../lib/usage/usage-call.ts';
import type { ProblemCode } from '../../contract/problem-kinds.ts';
import { problemCodes } from '../../contract/problem-kinds.ts';

/**
 * A type as JSON has it, without what does not change what it says: `readonly`, members that must not be there or
 * may be undefined, and how it was put together. Members of a union stay apart.
 */
type Plain<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? {
          -readonly [
            Key in keyof T as [Exclude<T[Key], undefined>] extends [never] ? never : Key
          ]: Plain<Exclude<T[Key], undefined>>;
        }
      : T;

/**
 * The requests that the client takes, by call: as its schema reads it, but that the client says the
 * operation.
 */
type Takes = {
  check: [client.ReportedCheckRequest, typeof checkSchema];
  confirm: [client.ConfirmRequest, typeof confirmSchema];
  rollback: [client.RollbackRequest, typeof rollbackSchema];
  refund: [client.RefundRequest, typeof refundSchema];
  record: [client.RecordRequest, typeof recordSchema];
  status: [client.StatusRequest, typeof statusSchema];
  usage: [client.UsageRequest, typeof usageSchema];
  near: [client.NearRequest, typeof nearSchema];
  transactions: [client.TransactionsRequest, typeof transactionsSchema];
  usageHistory: [client.UsageHistoryRequest, typeof usageHistorySchema];
  summary: [client.SummaryRequest, typeof summarySchema];
  override: [client.OverrideRequest, typeof TERMS_TAKE.override];
  freeze: [client.FreezeRequest, typeof TERMS_TAKE.freeze];
  approve: [client.DecisionRequest, typeof PROPOSALS_TAKE.decision];
};
type Taken<Schema extends z.ZodMiniType> = Plain<Omit<z.input<Schema>, 'operation' | 'actor'>>;

// The step `types` of npm test checks these; nothing of them is left when they run.
describe('what the client takes is what the schemas read', () => {
  it('of each call', () => {
    expectTypeOf<{
      [Call in keyof Takes]: Plain<Omit<Takes[Call][0], 'actor'>>;
    }>().toEqualTypeOf<{ [Call in keyof Takes]: Taken<Takes[Call][1]> }>();
    expectTypeOf<client.FreezeRequest['actor']>().toEqualTypeOf<string | undefined>();
  });

  it('of checks, but for dry runs, which are none among many', () => {
    type Checks = z.input<typeof checksSchema>;
    type One = Checks['orders'][number];
    expectTypeOf<Plain<client.CheckOfMany>>().toEqualTypeOf<Plain<One & { dryRun?: false }>>();
    expectTypeOf<keyof client.ChecksRequest>().toEqualTypeOf<keyof Checks>();
  });

  it('of settlements, but for an amount of what failed and a reason of what did not', () => {
    type One = z.input<typeof settlementsSchema>['settlements'][number];
    type Success = Omit<One, 'status' | 'reason' | 'reasonCode'> & { status: 'SUCCESS' };
    type Fail = Omit<One, 'status' | 'amount'> & { status: 'FAIL' };
    expectTypeOf<Plain<client.Settlement>>().toEqualTypeOf<Plain<Success> | Plain<Fail>>();
  });
});

/**
 * The answers that the client gives, by call; rules that were put are known better than their
 * schema says.
 */
type Given = {
  check: client.ShortCheckAnswer;
  confirm: client.ConfirmAnswer;
  rollback: client.RollbackAnswer;
  refund: client.RefundAnswer;
  status: client.StatusAnswer;
  usage: client.UsageAnswer;
  near: client.NearAnswer;
  transactions: client.TransactionsAnswer;
  usageHistory: client.UsageHistoryAnswer;
  summary: client.SummaryAnswer;
  terms: client.TermsAnswer;
  termsChanges: client.TermsChangesAnswer;
  findOverride: client.FindOverrideAnswer;
  putRule: client.RulesChangedAnswer;
  approve: client.Proposal;
  listProposals: client.ProposalsAnswer;
  findProposal: client.ProposalAnswer;
  proposed: client.ProposedAnswer;
};
type Answered = { [Call in keyof Given]: Plain<z.output<(typeof ANSWERS)[Call]>> };

describe('what the client gives is what is answered', () => {
  it('to each call', () => {
    expectTypeOf<{ [Call in keyof Given]: Plain<Given[Call]> }>().toEqualTypeOf<Answered>();
  });

  it('to each order of many, or its problem', () => {
    type Result = client.ChecksAnswer['results'][number];
    expectTypeOf<
      Extract<Result, { problem: unknown }>['problem']
    >().toEqualTypeOf<client.Problem>();
    expectTypeOf<Plain<Exclude<Result, { problem: unknown }>>>().toEqualTypeOf<
      Plain<client.ShortCheckAnswer & { orderId: string }>
    >();
  });

  it('with all that is told of rules, where nothing else is asked', () => {
    expectTypeOf<
      client.CheckAnswer['rules'][number]['subjects']
    >().toEqualTypeOf<client.Subjects>();
    expectTypeOf<client.AllowedCheck['undecided']>().toEqualTypeOf<undefined>();
    expectTypeOf<client.UndecidedCheck['reservation']>().toEqualTypeOf<undefined>();
  });

  it('with the words of the domain', () => {
    expectTypeOf<client.TermsChange['change']>().toEqualTypeOf<TermsWish['kind']>();
    expectTypeOf<client.Freeze['by']>().toEqualTypeOf<Actor>();
    expectTypeOf<client.RuleOutcome>().toEqualTypeOf<RuleOutcome>();
    expectTypeOf<client.RefusedCheck['reason']>().toEqualTypeOf<RefusalReason>();
    expectTypeOf<client.OrderState>().toEqualTypeOf<OrderStatus['state']>();
    expectTypeOf<client.HistoryRow['operation']>().toEqualTypeOf<AuditRow['operation']>();
    expectTypeOf<client.RuleReport['mode']>().toEqualTypeOf<
      Exclude<Rule['mode'], 'draft' | 'retired'> // which are in no answer
    >();
    expectTypeOf<client.RuleWindow['kind']>().toEqualTypeOf<Window['kind']>();
    expectTypeOf<Extract<client.RuleWindow, { kind: 'calendar' }>['unit']>().toEqualTypeOf<
      CalendarWindow['unit']
    >();
    expectTypeOf<client.ReportScope>().toEqualTypeOf<ReportScope>();
    expectTypeOf<client.CallName>().toEqualTypeOf<Call<never, unknown, unknown>['name']>();
    expectTypeOf<client.TransactionsRequest['decision']>().toEqualTypeOf<RowsQuery['decision']>();
    expectTypeOf<client.RuleChange['counter']>().toEqualTypeOf<RuleChange['counter']>();
    expectTypeOf<client.RuleChange['because'][number]>().toEqualTypeOf<
      (typeof COUNTER_PARTS)[number]
    >();
    expectTypeOf<NonNullable<client.Rule['mode']>>().toEqualTypeOf<Rule['mode']>();
  });
});

describe('the codes of problems', () => {
  it('are those that Headroom has, as types and as values', () => {
    expectTypeOf<client.ProblemCode>().toEqualTypeOf<ProblemCode>();
    expect([...PROBLEM_CODES].sort()).toEqual([...problemCodes()].sort());
  });
});
