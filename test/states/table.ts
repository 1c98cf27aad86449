/** Every operation in every state: what is answered, and how the order stands then. */
import type { StandingName, StateName } from './states.ts';

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
} as const;

/** The name of an operation. */
export type OperationName = keyof typeof OPERATIONS;

/**
 * The answer to an operation, and how the order stands afterwards where that is not as before. An
 * answer is the code of a problem, or says in words what README.md says in fields.
 */
export type Cell = {
  readonly answer: string;
  readonly then?: StandingName;
  /** What an atomic call of many is answered where that is not the same. */
  readonly atomic?: string;
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

const OTHERS_REUSED = { checkOther: REUSED, capture: REUSED, lookOther: REUSED };

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

/** Nobody but the dead caller was told a reservation. An atomic call gives back what it left, and asks anew. */
const CUT: Row = {
  ...OTHERS_REUSED,
  check: { ...says('allowed, repeated', 'held'), atomic: 'allowed' },
  look: says('allowed, repeated'),
  confirm: says('confirmed', 'confirmed'),
  confirmLess: says('confirmed, 2.00', 'confirmed, 2.00'),
  rollback: says('rolled back', 'rolled back'),
};

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

/** The table. */
export const TABLE: Readonly<Record<StateName, Row>> = {
  unknown: {
    check: says('allowed', 'held'),
    checkOther: says('allowed', 'held, 3.01'),
    capture: says('allowed, confirmed', 'captured after all'),
    look: says('would be allowed'),
    lookOther: says('would be allowed'),
    confirm: NOT_FOUND,
    confirmLess: NOT_FOUND,
    rollback: NOT_FOUND,
  },
  refused: {
    check: REFUSED,
    checkOther: REFUSED,
    capture: REFUSED,
    look: REFUSED,
    lookOther: REFUSED,
    confirm: NOT_FOUND,
    confirmLess: NOT_FOUND,
    rollback: NOT_FOUND,
  },
  held: OPEN,
  'held in two': OPEN,
  // Whoever confirms what nobody completed counts at home, and elsewhere what arrived there.
  'cut after home': {
    ...CUT,
    confirm: says('confirmed', 'confirmed at home, nothing elsewhere'),
    confirmLess: says('confirmed, 2.00', 'confirmed at home, 2.00, nothing elsewhere'),
  },
  // The repeat gives back what was held, without a trace.
  'cut after home, no room': {
    ...CUT,
    check: says('refused', 'refused'),
    look: says('refused'),
    confirm: says('confirmed', 'confirmed at home, nothing elsewhere'),
    confirmLess: says('confirmed, 2.00', 'confirmed at home, 2.00, nothing elsewhere'),
  },
  'cut before completion': CUT,
  expired: EXPIRED,
  'expired, swept': EXPIRED,
  'expired in two': EXPIRED,
  'cut, expired': {
    ...OTHERS_REUSED,
    check: says('allowed', 'held'),
    look: says('would be allowed'),
    confirm: says('confirmed, late', 'late'),
    confirmLess: says('confirmed, 2.00, late', 'late, 2.00'),
    rollback: says('rolled back', 'rolled back'),
  },
  // A payment that happened is counted, whichever reservation its caller kept.
  'held again': {
    ...OPEN,
    confirmReplaced: says('confirmed', 'confirmed'),
    rollbackReplaced: REPLACED,
  },
  confirmed: ENDED_WELL,
  'confirmed, 2.00': {
    ...ENDED_WELL,
    confirm: says('confirmed, 2.00, repeated'),
    confirmLess: says('confirmed, 2.00, repeated'),
    confirmReserved: says('confirmed, 2.00, repeated'),
  },
  'confirmed late': {
    ...ENDED_WELL,
    confirm: says('confirmed, late, repeated'),
    confirmReserved: says('confirmed, late, repeated'),
  },
  'confirm cut': {
    ...ENDED_WELL,
    confirm: says('confirmed, repeated', 'confirmed'),
    confirmReserved: says('confirmed, repeated', 'confirmed'),
  },
  captured: ENDED_WELL,
  'capture cut before home': {
    ...CUT,
    check: says('allowed, repeated, confirmed', 'confirmed'),
  },
  'capture cut after home': {
    ...OTHERS_REUSED,
    check: says('allowed, repeated, confirmed', 'confirmed'),
    look: says('allowed, repeated, confirmed'),
    confirm: says('confirmed, repeated', 'confirmed'),
    confirmLess: CONFIRMED,
    rollback: CONFIRMED,
  },
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
  // What it counted stays counted; a check under its id is a new order.
  forgotten: {
    check: says('allowed', 'held'),
    checkOther: says('allowed', 'held, 3.01'),
    capture: says('allowed, confirmed', 'captured after all'),
    look: says('would be allowed'),
    lookOther: says('would be allowed'),
    confirm: FORGOTTEN,
    confirmLess: FORGOTTEN,
    confirmReserved: FORGOTTEN,
    rollback: FORGOTTEN,
    rollbackReserved: FORGOTTEN,
  },
};
