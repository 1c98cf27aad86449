import type * as z from 'zod/mini';
import type { CallId } from './calls.ts';
import * as backtests from './backtests.ts';
import { problem } from './problem.ts';
import * as history from './history.ts';
import * as health from './health.ts';
import * as limits from './limits.ts';
import * as orders from './orders.ts';
import * as proposals from './proposals.ts';
import * as rules from './rules.ts';
import * as status from './status.ts';
import * as terms from './terms.ts';

/** The answer of each call with 200, by its operationId; `proposed` is the answer of a change with 202. */
export const ANSWERS = {
  check: orders.checkAnswer,
  confirm: orders.confirmAnswer,
  rollback: orders.rollbackAnswer,
  refund: orders.refundAnswer,
  checks: orders.checksAnswer,
  settlements: orders.settlementsAnswer,
  record: orders.recordAnswer,
  status: status.statusAnswer,
  usage: limits.usageAnswer,
  near: limits.nearAnswer,
  health: health.healthAnswer,
  transactions: history.transactionsAnswer,
  usageHistory: history.usageHistoryAnswer,
  summary: history.summaryAnswer,
  terms: terms.termsAnswer,
  termsChanges: terms.termsChangesAnswer,
  findOverride: terms.findOverrideAnswer,
  override: terms.termsAnswer,
  endOverride: terms.termsAnswer,
  freeze: terms.termsAnswer,
  unfreeze: terms.termsAnswer,
  listRules: rules.listRulesAnswer,
  replaceRules: rules.rulesChangedAnswer,
  findRule: rules.findRuleAnswer,
  putRule: rules.rulesChangedAnswer,
  deleteRule: rules.rulesChangedAnswer,
  ruleVersions: rules.ruleVersionsAnswer,
  caller: proposals.callerAnswer,
  listProposals: proposals.proposalsAnswer,
  findProposal: proposals.proposalAnswer,
  approve: proposals.proposal,
  reject: proposals.proposal,
  withdraw: proposals.proposal,
  startBacktest: backtests.backtestAnswer,
  listBacktests: backtests.backtestsAnswer,
  findBacktest: backtests.backtestAnswer,
  backtestOrders: backtests.backtestOrdersAnswer,
  stopBacktest: backtests.backtestAnswer,
  proposed: proposals.proposedAnswer,
  problem,
} as const satisfies Readonly<Record<CallId | 'proposed' | 'problem', z.ZodMiniType>>;
