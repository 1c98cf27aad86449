export type Condition =
  | typeof malformed
  | typeof unknown
  | typeof rolledBack
  | typeof otherwise
  | typeof held
  | typeof confirmed
  | typeof expired
  | typeof lacking
  | typeof frozen
  | typeof exceeded
  | typeof full;

/** One answer, with everything that is wrong or special; what stands first decides. */
export type Precedence = {
  readonly call: 'check' | 'confirm' | 'rollback';
  readonly conditions: readonly Condition[];
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>>;
};

const malformed = 'the request has a field that nobody knows';
const unknown = 'the order is unknown';
const rolledBack = 'the order was rolled back';
const otherwise = 'the order is held with another amount';
const held = 'the order is held with this content';
const confirmed = 'the order is confirmed';
const expired = 'the hold has expired';
const lacking = 'a required name is missing';
const frozen = 'the subject is frozen';
const exceeded = 'a rule is exceeded';
const full = 'the open holds are as many as may be';

/**
 * Answers in descending precedence, call by call. Each row has one condition less than the row above it, or
 * the next state of the order in its place: a condition decides whatever else is true below it.
 */
// prettier-ignore
export const PRECEDENCE: readonly Precedence[] = [
  { call: 'check', conditions: [malformed, rolledBack, lacking, frozen, exceeded, full], status: 400, answer: { code: 'INVALID_REQUEST' } },
  { call: 'check', conditions: [rolledBack, lacking, frozen, exceeded, full],   status: 409, answer: { code: 'ALREADY_ROLLED_BACK' } },
  { call: 'check', conditions: [otherwise, lacking, frozen, exceeded, full],    status: 409, answer: { code: 'ORDER_REUSED' } },
  { call: 'check', conditions: [confirmed, lacking, frozen, full],              status: 200, answer: { decision: 'allowed', state: 'confirmed', repeated: true } },
  { call: 'check', conditions: [held, lacking, frozen, full],                   status: 200, answer: { decision: 'allowed', state: 'held', repeated: true } },
  { call: 'check', conditions: [lacking, frozen, exceeded, full],               status: 422, answer: { code: 'INCOMPLETE_ORDER', missing: ['tier'] } },
  { call: 'check', conditions: [frozen, exceeded, full],                        status: 200, answer: { decision: 'refused', reason: 'frozen' } },
  { call: 'check', conditions: [exceeded, full],                                status: 200, answer: { decision: 'refused', reason: 'rule' } },
  { call: 'check', conditions: [full],                                          status: 422, answer: { code: 'TOO_MANY_OPEN_HOLDS' } },
  { call: 'check', conditions: [],                                              status: 200, answer: { decision: 'allowed', state: 'held', repeated: false } },
  { call: 'confirm', conditions: [malformed, unknown, frozen],                  status: 400, answer: { code: 'INVALID_REQUEST' } },
  { call: 'confirm', conditions: [unknown, frozen],                             status: 404, answer: { code: 'NOT_FOUND' } },
  { call: 'confirm', conditions: [rolledBack, frozen],                          status: 409, answer: { code: 'ALREADY_ROLLED_BACK' } },
  { call: 'confirm', conditions: [confirmed, frozen],                           status: 200, answer: { state: 'confirmed', repeated: true } },
  { call: 'confirm', conditions: [expired, frozen],                             status: 200, answer: { state: 'confirmed', repeated: false, late: true } },
  { call: 'confirm', conditions: [held, frozen],                                status: 200, answer: { state: 'confirmed', repeated: false, late: false } },
  { call: 'rollback', conditions: [malformed, unknown, frozen],                 status: 400, answer: { code: 'INVALID_REQUEST' } },
  { call: 'rollback', conditions: [unknown, frozen],                            status: 404, answer: { code: 'NOT_FOUND' } },
  { call: 'rollback', conditions: [confirmed, frozen],                          status: 409, answer: { code: 'ALREADY_CONFIRMED' } },
  { call: 'rollback', conditions: [rolledBack, frozen],                         status: 200, answer: { state: 'rolledBack', repeated: true } },
  { call: 'rollback', conditions: [held, frozen],                               status: 200, answer: { state: 'rolledBack', repeated: false } },
];
