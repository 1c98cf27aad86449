import * as z from 'zod';

/**
 * What Headroom answers, to the letter: a member that stands in none of these, or is missing, fails a
 * test. The types of the client are equal to what these read.
 */

const instant = z.iso.datetime({ precision: 3 });
const quantity = z.strictObject({
  amount: z.exactOptional(z.int()),
  count: z.exactOptional(z.int()),
});
const window = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('calendar'),
    unit: z.enum(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']),
    every: z.exactOptional(z.int()),
    timeZone: z.string(),
    start: instant,
    end: instant,
  }),
  z.strictObject({
    kind: z.literal('rolling'),
    span: z.string(),
    step: z.string(),
    start: instant,
    end: instant,
    maxEarlyRefusal: z.string(),
  }),
  z.strictObject({ kind: z.enum(['lifetime', 'transaction']) }),
]);

const violation = {
  rule: z.string(),
  mode: z.enum(['enforce', 'shadow']),
  window,
  min: z.exactOptional(quantity),
  max: quantity,
  override: z.exactOptional(
    z.strictObject({ reason: z.string(), until: z.nullable(instant), own: quantity }),
  ),
  used: z.exactOptional(quantity),
  held: z.exactOptional(quantity),
  remaining: z.exactOptional(quantity),
  outcome: z.enum([
    'within',
    'reached',
    'exceeded',
    'below-minimum',
    'exceeded-shadow',
    'below-minimum-shadow',
  ]),
  retryAt: z.exactOptional(z.nullable(instant)),
};
const title = z.exactOptional(z.record(z.string(), z.string()));
const subjects = z.record(z.string(), z.string());
const ruleReports = z.array(z.strictObject({ ...violation, title, subjects }));
const ofMany = z.exactOptional(
  z.array(z.strictObject({ ...violation, title, subjects: z.exactOptional(subjects) })),
);

const headroom = z.strictObject({
  amount: z.nullable(z.int()),
  earliestAt: z.nullable(instant),
});
const unknownKinds = z.exactOptional(
  z.array(z.strictObject({ kind: z.string(), nearest: z.array(z.string()) })),
);
const refusals = { refusedBy: z.array(z.string()), shadowRefusedBy: z.array(z.string()) };
const refunds = {
  refunded: z.exactOptional(z.nullable(z.int())),
  remaining: z.exactOptional(z.int()),
};
const allowed = {
  ...refusals,
  decision: z.literal('allowed'),
  repeated: z.boolean(),
  state: z.enum(['held', 'confirmed', 'partlyRefunded', 'refunded', 'none']),
  ...refunds,
  reservation: z.exactOptional(z.string()),
  holdExpiresAt: z.exactOptional(instant),
  uncounted: z.exactOptional(z.array(z.string())),
  limitReached: z.boolean(),
  headroom,
  now: instant,
};
const frozen = z.array(
  z.strictObject({ subjects, reason: z.string(), until: z.nullable(instant) }),
);
const refused = {
  ...refusals,
  reason: z.enum(['rule', 'no-rule', 'frozen']),
  frozen: z.exactOptional(frozen),
  unknownKinds,
  decision: z.literal('refused'),
  repeated: z.literal(false),
  limitReached: z.literal(false),
  headroom,
  now: instant,
};
const undecided = {
  ...refusals,
  decision: z.literal('allowed'),
  undecided: z.literal(true),
  repeated: z.literal(false),
  state: z.literal('none'),
  limitReached: z.literal(false),
  now: instant,
};
const confirmed = {
  state: z.enum(['confirmed', 'partlyRefunded', 'refunded']),
  ...refunds,
  repeated: z.boolean(),
  late: z.boolean(),
  amount: z.int(),
  exceeded: z.exactOptional(
    z.nullable(z.array(z.strictObject({ rule: z.string(), ...quantity.shape }))),
  ),
  uncounted: z.exactOptional(z.array(z.string())),
};
const rolledBack = { state: z.literal('rolledBack'), repeated: z.boolean() };

const row = z.strictObject({
  at: instant,
  operation: z.enum(['check', 'record', 'confirm', 'rollback', 'refund']),
  outcome: z.string(),
  refundId: z.exactOptional(z.string()),
  amount: z.exactOptional(z.int()),
  count: z.exactOptional(z.int()),
  currency: z.exactOptional(z.string()),
  late: z.exactOptional(z.boolean()),
  reason: z.exactOptional(z.string()),
  requestId: z.exactOptional(z.string()),
  happenedAt: z.exactOptional(instant),
  violations: z.exactOptional(z.array(z.string())),
  refusals: z.exactOptional(
    z.array(
      z.strictObject({
        rule: z.string(),
        sentence: z.string(),
        outcome: z.enum(['exceeded', 'below-minimum']),
        window,
        max: quantity,
        version: z.exactOptional(z.int()),
        currency: z.exactOptional(z.string()),
        min: z.exactOptional(quantity),
        used: z.exactOptional(quantity),
        held: z.exactOptional(quantity),
        override: violation.override,
      }),
    ),
  ),
  frozen: z.exactOptional(
    z.array(
      z.strictObject({
        subjects,
        reason: z.string(),
        until: z.nullable(instant),
        sentence: z.string(),
      }),
    ),
  ),
});

const maximumBy = z.exactOptional(
  z.strictObject({
    by: z.string(),
    values: z.record(z.string(), z.number()),
    else: z.exactOptional(z.number()),
  }),
);

const actor = z.strictObject({
  kind: z.enum(['application', 'principal', 'invocation', 'command', 'local']),
  id: z.string(),
  person: z.exactOptional(z.string()),
});
const author = {
  at: instant,
  by: actor,
  reason: z.string(),
  approvedBy: z.exactOptional(actor),
};
const stretch = { inForce: z.boolean(), from: instant, until: z.nullable(instant) };
const bound = z.exactOptional(z.nullable(z.int()));
const freeze = z.nullable(z.strictObject({ ...stretch, ...author }));
const overrides = z.array(
  z.strictObject({
    rule: z.string(),
    max: z.strictObject({ amount: bound, count: bound }),
    ...stretch,
    ...author,
  }),
);
const proposal = {
  id: z.string(),
  state: z.enum(['open', 'approved', 'rejected', 'withdrawn', 'lapsed']),
  about: z.enum(['rules', 'terms']),
  operation: z.enum([
    ...(['put', 'delete', 'replace'] as const),
    ...(['override', 'endOverride', 'freeze', 'unfreeze'] as const),
  ]),
  subject: z.nullable(subjects),
  rule: z.nullable(z.string()),
  at: instant,
  by: actor,
  reason: z.exactOptional(z.string()),
  until: instant,
  decided: z.nullable(z.strictObject({ at: instant, by: actor, reason: z.string() })),
};
const decided = z.strictObject(proposal);
const fields = z.record(z.string(), z.unknown());
const had = z.nullable(z.strictObject({ freeze, overrides }));
const terms = z.strictObject({
  ...{ subject: subjects, freeze, overrides, now: instant },
  version: z.string(),
});

const sums = z.strictObject({ amount: z.int(), count: z.int() });
/** Whatever was put: docs/openapi.json says no more of it, either. */
const storedRule = z.record(z.string(), z.unknown());
const madeSo = { ...author, reason: z.exactOptional(z.string()) };
const rulesChanged = z.strictObject({
  revision: z.int(),
  changed: z.boolean(),
  dryRun: z.boolean(),
  changes: z.array(
    z.strictObject({
      id: z.string(),
      change: z.enum(['added', 'changed', 'deleted']),
      counter: z.enum(['kept', 'begins', 'anew', 'joins', 'ends', 'none']),
      because: z.array(z.enum(['per', 'currency', 'counts', 'window', 'refunds'])),
      sharedWith: z.array(z.string()),
      says: z.string(),
    }),
  ),
});

const orderId = z.string();
const problem = z.strictObject({ orderId, problem: z.looseObject({ code: z.string() }) });

/** By call. */
export const ANSWERS = {
  check: z.union([
    z.strictObject({ ...allowed, rules: ruleReports }),
    z.strictObject({ ...refused, rules: ruleReports }),
    z.strictObject({ ...undecided, rules: ruleReports }),
  ]),
  confirm: z.strictObject(confirmed),
  rollback: z.strictObject(rolledBack),
  refund: z.strictObject({
    state: z.enum(['partlyRefunded', 'refunded']),
    repeated: z.boolean(),
    amount: z.int(),
    refunded: z.int(),
    remaining: z.int(),
    windows: z.strictObject({ open: z.int(), over: z.int() }),
  }),
  status: z.strictObject({
    orderId,
    state: z.enum([
      ...(['held', 'expired', 'confirmed', 'late', 'partlyRefunded', 'refunded'] as const),
      ...(['rolledBack', 'refused', 'unknown'] as const),
    ]),
    amount: z.exactOptional(z.int()),
    refunded: z.exactOptional(z.int()),
    currency: z.exactOptional(z.string()),
    subjects: z.exactOptional(subjects),
    reservation: z.exactOptional(z.string()),
    holdExpiresAt: z.exactOptional(instant),
    now: instant,
    history: z.array(row),
  }),
  usage: z.strictObject({
    subjects,
    unknownKinds,
    frozen,
    rules: z.array(
      z.strictObject({
        ...violation,
        title,
        subjects,
        currency: z.exactOptional(z.string()),
        outcome: z.enum([...violation.outcome.options, 'depends']),
        maxBy: z.exactOptional(z.strictObject({ amount: maximumBy, count: maximumBy })),
        share: z.nullable(z.number()),
        resetsAt: z.nullable(instant),
      }),
    ),
    now: instant,
    asOf: z.exactOptional(instant),
  }),
  near: z.strictObject({
    near: z.array(
      z.strictObject({
        rule: z.string(),
        mode: z.enum(['enforce', 'shadow']),
        subjects,
        currency: z.exactOptional(z.string()),
        share: z.union([z.literal(0.5), z.literal(0.8), z.literal(0.95), z.literal(1)]),
        max: quantity,
        overridden: z.boolean(),
        taken: quantity,
        start: z.nullable(instant),
        until: z.nullable(instant),
        at: instant,
      }),
    ),
    next: z.nullable(z.string()),
    kept: z.boolean(),
    scannedAt: z.nullable(instant),
    now: instant,
  }),
  transactions: z.strictObject({
    subjects,
    unknownKinds,
    transactions: z.array(
      z.strictObject({
        orderId,
        app: z.string(),
        subjects,
        type: z.exactOptional(z.string()),
        ...row.shape,
      }),
    ),
    next: z.nullable(z.string()),
  }),
  usageHistory: z.strictObject({
    subjects,
    unknownKinds,
    rule: z.exactOptional(z.string()),
    unit: z.enum(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']),
    every: z.exactOptional(z.int()),
    timeZone: z.string(),
    windows: z.array(
      z.strictObject({
        start: instant,
        end: instant,
        sums: z.array(
          z.strictObject({
            currency: z.nullable(z.string()),
            ...{ amount: z.int(), count: z.int(), refunded: z.int() },
          }),
        ),
      }),
    ),
    now: instant,
  }),
  summary: z.strictObject({
    ...{ kind: z.string(), date: z.string(), timeZone: z.string(), start: instant, end: instant },
    sums: z.array(
      z.strictObject({
        ...{ currency: z.nullable(z.string()), confirmed: sums, recorded: sums, refunded: sums },
      }),
    ),
    refused: z.int(),
    refusals: z.array(
      z.strictObject({
        rule: z.exactOptional(z.string()),
        reason: z.exactOptional(z.string()),
        count: z.int(),
      }),
    ),
    now: instant,
  }),
  listRules: z.strictObject({
    revision: z.int(),
    rules: z.array(storedRule),
    versions: z.record(z.string(), z.int()),
  }),
  findRule: z.strictObject({
    id: z.string(),
    version: z.int(),
    ...madeSo,
    sentence: z.exactOptional(z.string()),
    rule: storedRule,
  }),
  ruleVersions: z.strictObject({
    id: z.string(),
    versions: z.array(
      z.strictObject({
        version: z.int(),
        change: z.enum(['added', 'changed', 'deleted']),
        ...madeSo,
        before: z.nullable(storedRule),
        after: z.nullable(storedRule),
      }),
    ),
    next: z.nullable(z.int()),
  }),
  putRule: rulesChanged,
  deleteRule: rulesChanged,
  replaceRules: rulesChanged,
  terms,
  termsChanges: z.strictObject({
    subject: subjects,
    changes: z.array(
      z.strictObject({
        change: z.enum(['override', 'endOverride', 'freeze', 'unfreeze']),
        rule: z.exactOptional(z.string()),
        ...author,
        before: had,
        after: had,
      }),
    ),
    next: z.nullable(z.string()),
  }),
  findOverride: z.strictObject({ subject: subjects, overrides, now: instant }),
  override: terms,
  endOverride: terms,
  freeze: terms,
  unfreeze: terms,
  proposed: z.strictObject({ proposal: decided }),
  listProposals: z.strictObject({ proposals: z.array(decided), next: z.nullable(z.string()) }),
  findProposal: z.strictObject({
    ...proposal,
    asked: fields,
    changes: z.nullable(z.array(fields)),
    refused: z.nullable(z.strictObject({ code: z.string(), detail: z.string() })),
    terms: z.nullable(z.strictObject({ freeze, overrides })),
  }),
  approve: decided,
  reject: decided,
  withdraw: decided,
  checks: z.strictObject({
    allAllowed: z.boolean(),
    results: z.array(
      z.union([
        z.strictObject({ orderId, ...allowed, rules: ofMany }),
        z.strictObject({ orderId, ...refused, rules: ofMany }),
        z.strictObject({ orderId, ...undecided, rules: ofMany }),
        problem,
      ]),
    ),
  }),
  record: z.strictObject({
    results: z.array(
      z.union([
        z.strictObject({
          orderId,
          ...{ state: z.literal('confirmed'), repeated: z.boolean(), amount: z.int() },
          ...{ counted: z.array(z.string()), over: z.array(z.string()) },
          exceeded: z.array(z.strictObject({ rule: z.string(), ...quantity.shape })),
        }),
        problem,
      ]),
    ),
  }),
  settlements: z.strictObject({
    results: z.array(
      z.union([
        z.strictObject({ orderId, ...confirmed }),
        z.strictObject({ orderId, ...rolledBack }),
        problem,
      ]),
    ),
  }),
} as const;
