import type * as api from './api.ts';

/** The rules that an answer lists: none; those that refused, or would have; all that apply. */
export type ReportScope = NonNullable<api.CheckRequest['report']>;

/** A rule that applies to an order, with all its figures. */
export type RuleReport = api.RuleReport & { readonly subjects: api.Subjects };

type Whole<Answer> = Answer extends unknown
  ? Omit<Answer, 'rules'> & { readonly rules: readonly RuleReport[] }
  : never;

/** The answer of `check`. A refusal is an answer, not an error. */
export type CheckAnswer = Whole<api.CheckAnswer>;

/** A check that is allowed. */
export type AllowedCheck = Extract<CheckAnswer, { decision: 'allowed'; undecided?: never }>;

/** A check that is refused. Nothing is held. */
export type RefusedCheck = Extract<CheckAnswer, { decision: 'refused' }>;

/**
 * The database did not decide, and the deployment lets such orders pass (`ON_UNDECIDED=allow`). There is no
 * reservation; whether anything is held is unknown.
 */
export type UndecidedCheck = Extract<CheckAnswer, { undecided: true }>;

/** The answer of `check` with a `report` other than `all`. */
export type ShortCheckAnswer = api.CheckAnswer;

/** The answer of `check` with a `report`. Default: every rule. */
export type CheckAnswerWith<Report extends ReportScope = 'all'> = [Report] extends ['all']
  ? CheckAnswer
  : ShortCheckAnswer;

/** How a rule stands: room is left; nothing is left; it refuses; on trial (`-shadow`), it would have. */
export type RuleOutcome = RuleReport['outcome'];

/** How an order stands. `late` is confirmed after its hold had expired. */
export type OrderState = api.StatusAnswer['state'];

/** How a proposal stands. `expired`: nobody decided it in time. */
export type ProposalState = api.Proposal['state'];

/** The shares of a maximum that are reported. */
export type NearShare = api.NearRow['share'];

/** Who did something, when and why, and who let it through, where it needed a second person. */
export type Author = Pick<api.Freeze, 'at' | 'by' | 'reason' | 'approvedBy'>;

/**
 * The answer of `override`, `endOverride`, `freeze` and `unfreeze`: `'proposal' in answer` says
 * that the change waits for a second person.
 */
export type TermsChangeAnswer = api.TermsAnswer | api.ProposedAnswer;

/** The answer of `rules.put`, `rules.delete` and `rules.replace`: made, or waiting for a second person. */
export type RuleChangeAnswer = api.RulesChangedAnswer | api.ProposedAnswer;
