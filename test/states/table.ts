/** Every operation in every state: what is answered, and how the order stands then. */
import type { StateName } from './all-states.ts';
import type { StandingName } from './states.ts';

/** What may be asked of an order. `other` is the same order id with 3.01. */
export const OPERATIONS = {
  check: 'check',
  checkOther: 'check, other content',
  capture: 'check, `capture` the other way',
  look: 'dry run',
  lookOther: 'dry run, other content',
  confirm: 'confirm',
  confirmLess: 'confirm of 2.00',
  confirmReserved: 'confirm by reservation',
  confirmReplaced: 'confirm by the older reservation',
  rollback: 'rollback',
  rollbackReserved: 'rollback by reservation',
  rollbackReplaced: 'rollback by the older reservation',
  record: 'record',
  recordOther: 'record, other content',
} as const;

export type OperationName = keyof typeof OPERATIONS;

/**
 * The answer to an operation, and how the order stands afterwards where that is not as before. An
 * answer is the code of a problem, or says in words what docs/calls.md says in fields.
 */
export type Cell = {
  readonly answer: string;
  readonly then?: StandingName;
  /** Whether what calls left in the merchant's document is gone then: of any call, or of an atomic one. */
  readonly frees?: 'any' | 'atomic';
};

/** Reservations are known only of orders that were allowed, older ones only where one was replaced. */
type Row = Readonly<Record<Exclude<OperationName, `${string}Re${string}`>, Cell>> &
  Readonly<Partial<Record<OperationName, Cell>>>;

const says = (answer: string, then?: StandingName): Cell => ({
  answer,
  ...(then === undefined ? {} : { then }),
});

const REUSED = says('ORDER_REUSED');
const NOT_FOUND = says('NOT_FOUND');
const CONFIRMED = says('ALREADY_CONFIRMED');
const ROLLED_BACK = says('ALREADY_ROLLED_BACK');
const REPLACED = says('RESERVATION_REPLACED');
const FORGOTTEN = says('FORGOTTEN');
const REFUSED = says('refused');

const OTHERS_REUSED = {
  ...{ checkOther: REUSED, capture: REUSED, lookOther: REUSED },
  ...{ record: REUSED, recordOther: REUSED },
};

const OPEN: Row = {
  ...OTHERS_REUSED,
  check: says('allowed, repeated'),
  look: says('allowed, repeated'),
  confirm: says('confirmed', 'confirmed'),
  confirmLess: says('confirmed, 2.00', 'confirmed, 2.00'),
  confirmReserved: says('confirmed', 'confirmed'),
  rollback: says('rolled back', 'rolled back'),
  rollbackReserved: says('rolled back', 'rolled back'),
};

/** Nobody but the dead caller was told a reservation. */
const unreserved = (row: Row): Row => {
  const { confirmReserved, rollbackReserved, ...rest } = row;
  if (confirmReserved === undefined || rollbackReserved === undefined)
    throw new Error('such a row says what a reservation would come to');
  return rest;
};

/** The order is new to home, whatever calls of it left elsewhere. */
const NEW: Row = {
  check: says('allowed', 'held'),
  checkOther: says('allowed', 'held, 3.01'),
  capture: says('allowed, confirmed', 'captured after all'),
  look: says('would be allowed'),
  lookOther: says('would be allowed'),
  confirm: NOT_FOUND,
  confirmLess: NOT_FOUND,
  rollback: NOT_FOUND,
  record: says('recorded', 'recorded'),
  recordOther: says('recorded', 'recorded, 3.01'),
};

const REFUSING: Row = {
  ...NEW,
  check: REFUSED,
  checkOther: REFUSED,
  capture: REFUSED,
  look: REFUSED,
  lookOther: REFUSED,
};

/** What is left goes with these operations: of an atomic call, or of any. */
const freeing = (row: Row, by: 'any' | 'atomic', operations: readonly OperationName[]): Row => ({
  ...row,
  ...Object.fromEntries(
    operations.map((operation) => [operation, { ...row[operation], frees: by }]),
  ),
});

const CHECKS = ['check', 'checkOther', 'capture'] as const;
/** Over two documents they are always one commit. */
const RECORDS = ['record', 'recordOther'] as const;
/** A record drops what calls left, as an atomic check does. */
function leaving(row: Row): Row {
  return freeing(row, 'any', RECORDS);
}

const SETTLEMENTS = [
  ...(['confirm', 'confirmLess', 'confirmReserved'] as const),
  ...(['rollback', 'rollbackReserved'] as const),
];

const EXPIRED: Row = {
  ...OTHERS_REUSED,
  check: says('allowed', 'held'),
  look: says('would be allowed'),
  confirm: says('confirmed, late', 'late'),
  confirmLess: says('confirmed, 2.00, late', 'late, 2.00'),
  confirmReserved: says('confirmed, late', 'late'),
  rollback: says('rolled back', 'rolled back'),
  rollbackReserved: says('rolled back', 'rolled back'),
};

const ENDED_WELL: Row = {
  ...OTHERS_REUSED,
  check: says('allowed, repeated, confirmed'),
  look: says('allowed, repeated, confirmed'),
  confirm: says('confirmed, repeated'),
  confirmLess: CONFIRMED,
  confirmReserved: says('confirmed, repeated'),
  rollback: CONFIRMED,
  rollbackReserved: CONFIRMED,
};

const ENDED_BADLY: Row = {
  ...OTHERS_REUSED,
  check: ROLLED_BACK,
  look: ROLLED_BACK,
  confirm: ROLLED_BACK,
  confirmLess: ROLLED_BACK,
  confirmReserved: ROLLED_BACK,
  rollback: says('rolled back, repeated'),
  rollbackReserved: says('rolled back, repeated'),
};

const FORGOTTEN_ROW: Row = {
  ...NEW,
  confirm: FORGOTTEN,
  confirmLess: FORGOTTEN,
  confirmReserved: FORGOTTEN,
  rollback: FORGOTTEN,
  rollbackReserved: FORGOTTEN,
};

const HELD_AGAIN: Row = {
  ...OPEN,
  // A payment that happened is counted, whichever reservation its caller kept.
  confirmReplaced: says('confirmed', 'confirmed'),
  rollbackReplaced: REPLACED,
};

/** Home names the share of an order that it no longer holds, and the settlement takes that share. */
const EXPIRED_AT_HOME = freeing(EXPIRED, 'any', SETTLEMENTS);

/** Whatever a settlement is answered, it counts in the other documents what home has counted. */
const CUT: Row = {
  ...ENDED_WELL,
  confirm: says('confirmed, repeated', 'confirmed'),
  confirmLess: says('ALREADY_CONFIRMED', 'confirmed'),
  confirmReserved: says('confirmed, repeated', 'confirmed'),
  rollback: says('ALREADY_CONFIRMED', 'confirmed'),
  rollbackReserved: says('ALREADY_CONFIRMED', 'confirmed'),
};

const RECORDED: Row = {
  ...OTHERS_REUSED,
  check: REUSED,
  look: REUSED,
  confirm: says('confirmed, repeated'),
  confirmLess: CONFIRMED,
  rollback: CONFIRMED,
  record: says('recorded, repeated'),
};

export const TABLE: Readonly<Record<StateName, Row>> = {
  unknown: NEW,
  refused: REFUSING,
  'refused beside home': REFUSING,
  held: OPEN,
  'held in two': OPEN,
  'answer lost': unreserved(OPEN),
  // What another call left holds room until its time ends, unless one commit takes it away.
  'share left': freeing(leaving(NEW), 'atomic', ['check', 'checkOther']),
  'shares left, no room': freeing(NEW, 'any', [...CHECKS, ...RECORDS]),
  'share left, home full': leaving(REFUSING),
  'share left, over': NEW,
  'held, share left': OPEN,
  'held, share dropped': OPEN,
  expired: EXPIRED,
  'expired, swept': EXPIRED,
  'expired in two': EXPIRED,
  'expired in two, swept': EXPIRED,
  'expired in two, swept beside home': EXPIRED,
  'expired at home': freeing(EXPIRED_AT_HOME, 'atomic', ['check']),
  'expired at home, no room': freeing(EXPIRED_AT_HOME, 'any', ['check']),
  // The answer names the document in which it is not counted.
  'expired in two, share forgotten': {
    ...EXPIRED,
    confirm: says('confirmed, late, not at merchant:m-1', 'late, uncounted'),
    confirmLess: says('confirmed, 2.00, late, not at merchant:m-1', 'late, 2.00, uncounted'),
    confirmReserved: says('confirmed, late, not at merchant:m-1', 'late, uncounted'),
  },
  'held again': HELD_AGAIN,
  'held again in two': HELD_AGAIN,
  confirmed: ENDED_WELL,
  'confirmed, 2.00': {
    ...ENDED_WELL,
    confirm: says('confirmed, 2.00, repeated'),
    confirmLess: says('confirmed, 2.00, repeated'),
    confirmReserved: says('confirmed, 2.00, repeated'),
  },
  'confirmed in two': ENDED_WELL,
  'confirmed late': {
    ...ENDED_WELL,
    confirm: says('confirmed, late, repeated'),
    confirmReserved: says('confirmed, late, repeated'),
  },
  'confirm cut': CUT,
  'confirm cut, share over': CUT,
  'confirm cut, share swept': CUT,
  'late confirm cut': {
    ...CUT,
    confirm: says('confirmed, late, repeated', 'late'),
    confirmLess: says('ALREADY_CONFIRMED', 'late'),
    confirmReserved: says('confirmed, late, repeated', 'late'),
    rollback: says('ALREADY_CONFIRMED', 'late'),
    rollbackReserved: says('ALREADY_CONFIRMED', 'late'),
  },
  captured: ENDED_WELL,
  'captured in two': ENDED_WELL,
  'capture cut before home': {
    ...leaving(NEW),
    check: says('allowed, confirmed', 'confirmed'),
    checkOther: says('allowed, confirmed', 'captured, 3.01'),
    capture: { ...says('allowed', 'held after all'), frees: 'atomic' },
  },
  // A repeated check counts what is missing, as a confirm does.
  'capture cut after home': unreserved({
    ...CUT,
    check: says('allowed, repeated, confirmed', 'confirmed'),
  }),
  'rolled back': ENDED_BADLY,
  'rolled back, expired': ENDED_BADLY,
  'rollback cut': {
    ...ENDED_BADLY,
    rollback: says('rolled back, repeated', 'rolled back'),
    rollbackReserved: says('rolled back, repeated', 'rolled back'),
  },
  'held again, rolled back': {
    ...ENDED_BADLY,
    confirmReplaced: ROLLED_BACK,
    rollbackReplaced: REPLACED,
  },
  recorded: RECORDED,
  'recorded in two': RECORDED,
  // What it counted stays counted; a check or a record under its id is a new order.
  forgotten: FORGOTTEN_ROW,
  'confirm cut, forgotten': freeing(leaving(FORGOTTEN_ROW), 'atomic', ['check', 'checkOther']),
};
