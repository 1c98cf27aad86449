/**
 * The states that an order may be in, and how it got there. Operations of the table come 20 minutes
 * after ten o'clock; a hold lasts 15. The order is one of 3.00 CNY; every rule has a maximum of 9.99.
 */

/** One thing that happened, so many minutes after ten o'clock. */
export type Happening = { readonly minute: number } & (
  | {
      readonly do: 'check' | 'capture' | 'confirm' | 'confirm 2.00' | 'rollback';
      /** The caller dies after so many calls to the store. */
      readonly diesAfter?: number;
    }
  /** Another order holds 8.00: of the same user, or of another user at the same merchant. */
  | { readonly do: 'fill user' | 'fill merchant' }
  /** Another order is checked, which moves what expired into the memory. */
  | { readonly do: 'sweep' }
  /** As many outcomes of other orders as a document remembers. */
  | { readonly do: 'forget' }
);

/** Used and held by an order, in minor units. */
export type Sums = { readonly used: number; readonly held: number };

const NOTHING: Sums = { used: 0, held: 0 };
const HELD: Sums = { used: 0, held: 300 };
const USED: Sums = { used: 300, held: 0 };
const USED_LESS: Sums = { used: 200, held: 0 };

/**
 * How an order stands: what a dry run of its check and a confirm of it are answered, and what counts
 * for it in the user's document, and in the merchant's where that is not the same.
 */
export type Standing = {
  readonly look: string;
  readonly end: string;
  readonly user: Sums;
  readonly merchant?: Sums;
};

/** How an order may stand after an operation. */
export const STANDINGS = {
  unknown: { look: 'would be allowed', end: 'NOT_FOUND', user: NOTHING },
  refused: { look: 'refused', end: 'NOT_FOUND', user: NOTHING },
  held: { look: 'allowed, repeated', end: 'confirmed', user: HELD },
  'held, 3.01': {
    look: 'ORDER_REUSED',
    end: 'confirmed, 3.01',
    user: { used: 0, held: 301 },
  },
  'held at home': {
    look: 'allowed, repeated',
    end: 'confirmed',
    user: HELD,
    merchant: NOTHING,
  },
  'held at home, no room elsewhere': {
    look: 'refused',
    end: 'confirmed',
    user: HELD,
    merchant: NOTHING,
  },
  expired: { look: 'would be allowed', end: 'confirmed, late', user: NOTHING },
  confirmed: { look: 'allowed, repeated, confirmed', end: 'confirmed, repeated', user: USED },
  'confirmed, 2.00': {
    look: 'allowed, repeated, confirmed',
    end: 'confirmed, 2.00, repeated',
    user: USED_LESS,
  },
  'confirmed at home': {
    look: 'allowed, repeated, confirmed',
    end: 'confirmed, repeated',
    user: USED,
    merchant: HELD,
  },
  'confirmed at home, nothing elsewhere': {
    look: 'allowed, repeated, confirmed',
    end: 'confirmed, repeated',
    user: USED,
    merchant: NOTHING,
  },
  'confirmed at home, 2.00, nothing elsewhere': {
    look: 'allowed, repeated, confirmed',
    end: 'confirmed, 2.00, repeated',
    user: USED_LESS,
    merchant: NOTHING,
  },
  late: {
    look: 'allowed, repeated, confirmed',
    end: 'confirmed, late, repeated',
    user: USED,
  },
  'late, 2.00': {
    look: 'allowed, repeated, confirmed',
    end: 'confirmed, 2.00, late, repeated',
    user: USED_LESS,
  },
  'captured after all': { look: 'ORDER_REUSED', end: 'confirmed, repeated', user: USED },
  'rolled back': { look: 'ALREADY_ROLLED_BACK', end: 'ALREADY_ROLLED_BACK', user: NOTHING },
  'rolled back at home': {
    look: 'ALREADY_ROLLED_BACK',
    end: 'ALREADY_ROLLED_BACK',
    user: NOTHING,
    merchant: HELD,
  },
  forgotten: { look: 'would be allowed', end: 'FORGOTTEN', user: NOTHING },
} as const satisfies Readonly<Record<string, Standing>>;

/** The name of a standing. */
export type StandingName = keyof typeof STANDINGS;

/** A state of an order. */
export type OrderState = {
  /** What the page says of it. */
  readonly says: string;
  readonly documents: 1 | 2;
  readonly past: readonly Happening[];
  readonly standing: StandingName;
  /** What counts beside the order. */
  readonly beside?: { readonly user?: Sums; readonly merchant?: Sums };
  /** Its check was one that counts at once. */
  readonly captures?: true;
};

/** Every state, in the order of the page. */
export const STATES = {
  unknown: { says: 'Nobody asked', documents: 1, past: [], standing: 'unknown' },
  refused: {
    says: 'Its check was refused, and would be still',
    documents: 1,
    past: [
      { minute: 10, do: 'fill user' },
      { minute: 10, do: 'check' },
    ],
    standing: 'refused',
    beside: { user: { used: 0, held: 800 } },
  },
  held: {
    says: 'Allowed, and nobody said how it ended',
    documents: 1,
    past: [{ minute: 10, do: 'check' }],
    standing: 'held',
  },
  'held in two': {
    says: 'The same over two documents',
    documents: 2,
    past: [{ minute: 10, do: 'check' }],
    standing: 'held',
  },
  'cut after home': {
    says: 'Its caller died before the second document was asked',
    documents: 2,
    past: [{ minute: 10, do: 'check', diesAfter: 1 }],
    standing: 'held at home',
  },
  'cut after home, no room': {
    says: 'The same, and the second document has no room for it by now',
    documents: 2,
    past: [
      { minute: 10, do: 'check', diesAfter: 1 },
      { minute: 11, do: 'fill merchant' },
    ],
    standing: 'held at home, no room elsewhere',
    beside: { merchant: { used: 0, held: 800 } },
  },
  'cut before completion': {
    says: 'Its caller died when both documents held their shares, before home was complete',
    documents: 2,
    past: [{ minute: 10, do: 'check', diesAfter: 2 }],
    standing: 'held',
  },
  expired: {
    says: 'Its hold is over, and nothing touched the document since',
    documents: 1,
    past: [{ minute: 0, do: 'check' }],
    standing: 'expired',
  },
  'expired, swept': {
    says: 'Its hold is over, and another check moved it into the memory',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'sweep' },
    ],
    standing: 'expired',
  },
  'expired in two': {
    says: 'Its holds in two documents are over',
    documents: 2,
    past: [{ minute: 0, do: 'check' }],
    standing: 'expired',
  },
  'cut, expired': {
    says: 'Its caller died before home was complete, and its holds are over',
    documents: 2,
    past: [{ minute: 0, do: 'check', diesAfter: 2 }],
    standing: 'expired',
  },
  'held again': {
    says: 'Its first hold expired, and a second check was allowed',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'check' },
    ],
    standing: 'held',
  },
  confirmed: {
    says: 'The payment happened',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm' },
    ],
    standing: 'confirmed',
  },
  'confirmed, 2.00': {
    says: 'The payment happened, for less',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm 2.00' },
    ],
    standing: 'confirmed, 2.00',
  },
  'confirmed late': {
    says: 'The payment happened after its hold was over',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'confirm' },
    ],
    standing: 'late',
  },
  'confirm cut': {
    says: 'Whoever confirmed it died before the second document was told',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
    ],
    standing: 'confirmed at home',
  },
  captured: {
    says: 'Its check counted at once',
    documents: 1,
    past: [{ minute: 10, do: 'capture' }],
    standing: 'confirmed',
    captures: true,
  },
  'capture cut before home': {
    says: 'Its check was to count at once, and its caller died when everything was held',
    documents: 2,
    past: [{ minute: 10, do: 'capture', diesAfter: 3 }],
    standing: 'held',
    captures: true,
  },
  'capture cut after home': {
    says: 'The same, when home had counted it',
    documents: 2,
    past: [{ minute: 10, do: 'capture', diesAfter: 4 }],
    standing: 'confirmed at home',
    captures: true,
  },
  'rolled back': {
    says: 'The payment did not happen',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  'rolled back, expired': {
    says: 'The payment did not happen, as was said after its hold was over',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  'rollback cut': {
    says: 'Whoever rolled it back died before the second document was told',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'rollback', diesAfter: 1 },
    ],
    standing: 'rolled back at home',
  },
  'held again, rolled back': {
    says: 'Its first hold expired, and its second was given back',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'check' },
      { minute: 17, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  forgotten: {
    says: 'It was confirmed, and as many others ended since as a document remembers',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm' },
      { minute: 12, do: 'forget' },
    ],
    standing: 'forgotten',
    beside: { user: USED },
  },
} as const satisfies Readonly<Record<string, OrderState>>;

/** The name of a state. */
export type StateName = keyof typeof STATES;
