/** What is wrong, or special, about an order when it is asked about. */
export type Condition =
  | 'the request has a field that nobody knows'
  | 'the order is unknown'
  | 'the order was rolled back'
  | 'the order is held with another amount'
  | 'the order is held with this content'
  | 'the order is confirmed'
  | 'the hold has expired'
  | 'the subject is frozen'
  | 'a rule is exceeded'
  | 'the open holds are as many as may be';

/** One answer, with everything that is wrong or special; what stands first decides. */
export type Precedence = {
  readonly call: 'check' | 'confirm' | 'rollback';
  readonly conditions: readonly Condition[];
  readonly status?: number;
  readonly answer: Readonly<Record<string, unknown>>;
};

const malformed = 'the request has a field that nobody knows';
const frozen = 'the subject is frozen';
const exceeded = 'a rule is exceeded';
const full = 'the open holds are as many as may be';

/**
 * Answers in descending precedence, call by call. Each row has one condition less than the row above it, or
 * the next state of the order in its place: a condition decides whatever else is true below it.
 */
export const PRECEDENCE: readonly Precedence[] = [
  {
    call: 'check',
    conditions: [malformed, 'the order was rolled back', frozen, exceeded, full],
    status: 400,
    answer: { code: 'INVALID_REQUEST' },
  },
  {
    call: 'check',
    conditions: ['the order was rolled back', frozen, exceeded, full],
    status: 409,
    answer: { code: 'ALREADY_ROLLED_BACK' },
  },
  {
    call: 'check',
    conditions: ['the order is held with another amount', frozen, exceeded, full],
    status: 409,
    answer: { code: 'ORDER_REUSED' },
  },
  {
    call: 'check',
    conditions: ['the order is confirmed', frozen, full],
    answer: { decision: 'allowed', state: 'confirmed', repeated: true },
  },
  {
    call: 'check',
    conditions: ['the order is held with this content', frozen, full],
    answer: { decision: 'allowed', state: 'held', repeated: true },
  },
  {
    call: 'check',
    conditions: [frozen, exceeded, full],
    answer: { decision: 'refused', reason: 'frozen' },
  },
  { call: 'check', conditions: [exceeded, full], answer: { decision: 'refused', reason: 'rule' } },
  {
    call: 'check',
    conditions: [full],
    status: 422,
    answer: { code: 'TOO_MANY_OPEN_HOLDS' },
  },
  {
    call: 'check',
    conditions: [],
    answer: { decision: 'allowed', state: 'held', repeated: false },
  },
  {
    call: 'confirm',
    conditions: [malformed, 'the order is unknown', frozen],
    status: 400,
    answer: { code: 'INVALID_REQUEST' },
  },
  {
    call: 'confirm',
    conditions: ['the order is unknown', frozen],
    status: 404,
    answer: { code: 'NOT_FOUND' },
  },
  {
    call: 'confirm',
    conditions: ['the order was rolled back', frozen],
    status: 409,
    answer: { code: 'ALREADY_ROLLED_BACK' },
  },
  {
    call: 'confirm',
    conditions: ['the order is confirmed', frozen],
    answer: { state: 'confirmed', repeated: true },
  },
  {
    call: 'confirm',
    conditions: ['the hold has expired', frozen],
    answer: { state: 'confirmed', repeated: false, late: true },
  },
  {
    call: 'confirm',
    conditions: ['the order is held with this content', frozen],
    answer: { state: 'confirmed', repeated: false, late: false },
  },
  {
    call: 'rollback',
    conditions: [malformed, 'the order is unknown', frozen],
    status: 400,
    answer: { code: 'INVALID_REQUEST' },
  },
  {
    call: 'rollback',
    conditions: ['the order is unknown', frozen],
    status: 404,
    answer: { code: 'NOT_FOUND' },
  },
  {
    call: 'rollback',
    conditions: ['the order is confirmed', frozen],
    status: 409,
    answer: { code: 'ALREADY_CONFIRMED' },
  },
  {
    call: 'rollback',
    conditions: ['the order was rolled back', frozen],
    answer: { state: 'rolledBack', repeated: true },
  },
  {
    call: 'rollback',
    conditions: ['the order is held with this content', frozen],
    answer: { state: 'rolledBack', repeated: false },
  },
];
