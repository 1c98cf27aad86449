/**
 * A client of Headroom, transaction limits for payment systems.
 *
 * @packageDocumentation
 */
export type * from './api.ts';
export type {
  AllowedCheck,
  CheckAnswer,
  RefusedCheck,
  RuleReport,
  UndecidedCheck,
} from './answers.ts';
export type * from './answers.ts';
export { HeadroomClient } from './client.ts';
export {
  HeadroomError,
  isProblemError,
  NoAnswerError,
  ProblemError,
  UnexpectedAnswerError,
} from './errors.ts';
export type { Headers } from './http.ts';
export { PROBLEM_CODES } from './api.ts';
export type { CallOptions, ClientOptions } from './options.ts';
export { OutcomeUnknown, paid } from './payment.ts';
export type { Hold, Paid } from './payment.ts';
export type { ProblemCode } from './problems.ts';
export type { CheckRequest } from './requests.ts';
export type * from './requests.ts';
export type { RuleCalls } from './rule-calls.ts';
export type { BacktestCalls } from './backtest-calls.ts';
export type * from './rule-set.ts';
export type { Attempt } from './retries.ts';
export type { Application } from './signing.ts';
export type { CallName } from './calls.ts';
export type { Answered, Send, Transport } from './transport.ts';
export type { HoldRequest, HoldResult, WithHoldOptions } from './with-hold.ts';
