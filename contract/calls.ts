/** Calls about its own orders that an application may be allowed. */
export const OPERATIONS = ['check', 'confirm', 'rollback', 'status', 'refund', 'record'] as const;

/** One of them. */
export type Operation = (typeof OPERATIONS)[number];

/** Rights beside its own orders. `approve`: changes that need a second person. */
export const RIGHTS = [
  'rules:read',
  'rules:write',
  'subjects:write',
  'approve',
  'usage:read',
  'health:read',
] as const;

/** One of them. */
export type Right = (typeof RIGHTS)[number];

/** The route, the function and the rights of a call: they are the same in every place that names it. */
export type CallRow = {
  /** As it is deployed: `GET /v1/rules/{id}`. */
  readonly route: string;
  /** The function that answers it; its name stands in metrics, too. */
  readonly by: string;
  /** Every operation and every right that an application must have for it. */
  readonly needs: readonly (Operation | Right)[];
  /** Every right that it must have instead for a dry run, which holds nothing and shows what they show. */
  readonly dryRunNeeds?: readonly Right[];
};

const SUBJECT = '/v1/subjects/{kind}/{id}';
const OVERRIDE = `${SUBJECT}/overrides/{rule}`;
const FREEZE = `${SUBJECT}/freeze`;
const RULE = '/v1/rules/{id}';
const PROPOSAL = '/v1/proposals/{id}';
const BACKTEST = '/v1/backtests/{id}';
/** Back-tests show the rules, and orders of every application. */
const OF_BACKTESTS = { by: 'backtests', needs: ['rules:read', 'usage:read'] } as const;
/** At most three run at once, so who starts or stops one is in the way of others. */
const CHANGING_BACKTESTS = {
  by: 'backtests',
  needs: ['rules:read', 'rules:write', 'usage:read'],
} as const;

/** The calls, by their names in the API. `test/contract/calls.test.ts` names each place that lacks one. */
export const CALLS = {
  check: {
    route: 'POST /v1/check',
    by: 'check',
    needs: ['check'],
    dryRunNeeds: ['usage:read'],
  },
  confirm: { route: 'POST /v1/confirm', by: 'confirm', needs: ['confirm'] },
  rollback: { route: 'POST /v1/rollback', by: 'rollback', needs: ['rollback'] },
  refund: { route: 'POST /v1/refund', by: 'refund', needs: ['refund'] },
  checks: { route: 'POST /v1/checks', by: 'checks', needs: ['check'] },
  settlements: {
    route: 'POST /v1/settlements',
    by: 'settlements',
    needs: ['confirm', 'rollback'],
  },
  record: { route: 'POST /v1/record', by: 'record', needs: ['record'] },
  status: { route: 'GET /v1/transactions/{orderId}', by: 'status', needs: ['status'] },
  usage: { route: 'GET /v1/usage', by: 'usage', needs: ['usage:read'] },
  near: { route: 'GET /v1/near', by: 'near', needs: ['usage:read'] },
  // They show orders of every application, as `usage` shows the sums of all.
  transactions: { route: 'GET /v1/transactions', by: 'history', needs: ['usage:read'] },
  usageHistory: { route: 'GET /v1/usage/history', by: 'history', needs: ['usage:read'] },
  summary: { route: 'GET /v1/summary', by: 'history', needs: ['usage:read'] },
  listRules: { route: 'GET /v1/rules', by: 'rules', needs: ['rules:read'] },
  replaceRules: { route: 'PUT /v1/rules', by: 'rules', needs: ['rules:write'] },
  findRule: { route: `GET ${RULE}`, by: 'rules', needs: ['rules:read'] },
  putRule: { route: `PUT ${RULE}`, by: 'rules', needs: ['rules:write'] },
  deleteRule: { route: `DELETE ${RULE}`, by: 'rules', needs: ['rules:write'] },
  ruleVersions: { route: `GET ${RULE}/versions`, by: 'rules', needs: ['rules:read'] },
  terms: { route: `GET ${SUBJECT}/terms`, by: 'subjects', needs: ['usage:read'] },
  termsChanges: { route: `GET ${SUBJECT}/changes`, by: 'subjects', needs: ['usage:read'] },
  findOverride: { route: `GET ${OVERRIDE}`, by: 'subjects', needs: ['usage:read'] },
  override: { route: `PUT ${OVERRIDE}`, by: 'subjects', needs: ['subjects:write'] },
  endOverride: { route: `DELETE ${OVERRIDE}`, by: 'subjects', needs: ['subjects:write'] },
  freeze: { route: `PUT ${FREEZE}`, by: 'subjects', needs: ['subjects:write'] },
  unfreeze: { route: `DELETE ${FREEZE}`, by: 'subjects', needs: ['subjects:write'] },
  caller: { route: 'GET /v1/caller', by: 'proposals', needs: [] },
  listProposals: { route: 'GET /v1/proposals', by: 'proposals', needs: ['rules:read'] },
  findProposal: { route: `GET ${PROPOSAL}`, by: 'proposals', needs: ['rules:read'] },
  approve: { route: `POST ${PROPOSAL}/approve`, by: 'proposals', needs: ['approve', 'rules:read'] },
  reject: { route: `POST ${PROPOSAL}/reject`, by: 'proposals', needs: ['approve', 'rules:read'] },
  // An actor who may propose may take back. Whose proposal it is, is found out then.
  withdraw: { route: `DELETE ${PROPOSAL}`, by: 'proposals', needs: ['rules:read'] },
  startBacktest: { route: 'POST /v1/backtests', ...CHANGING_BACKTESTS },
  listBacktests: { route: 'GET /v1/backtests', ...OF_BACKTESTS },
  findBacktest: { route: `GET ${BACKTEST}`, ...OF_BACKTESTS },
  backtestOrders: { route: `GET ${BACKTEST}/orders`, ...OF_BACKTESTS },
  stopBacktest: { route: `DELETE ${BACKTEST}`, ...CHANGING_BACKTESTS },
  health: { route: 'GET /v1/health', by: 'health', needs: ['health:read'] },
} as const satisfies Readonly<Record<string, CallRow>>;

/** The name of a call in the API. */
export type CallId = keyof typeof CALLS;

/** The name of a function that answers calls. */
export type FunctionName = (typeof CALLS)[CallId]['by'];

/** The functions that answer calls. */
export const FUNCTIONS: ReadonlySet<FunctionName> = new Set(
  Object.values(CALLS).map(({ by }) => by),
);
