import type { OrderState } from './states.ts';

/** The caller dies when it has read both documents and holds a share in the merchant's. */
export const BEFORE_HOME = 2;
/** And when home holds it, or has counted it. */
export const AFTER_HOME = 3;

/** States in which nobody has said how the order ended, in the order of the page. */
export const OPEN_STATES = {
  unknown: { says: 'Nobody asked', documents: 1, past: [], standing: 'unknown' },
  refused: {
    says: 'Its check was refused, and would be still',
    documents: 1,
    past: [
      { minute: 10, do: 'fill user', amountMinor: 800 },
      { minute: 10, do: 'check' },
    ],
    standing: 'refused',
    beside: { user: { used: 0, held: 800 } },
  },
  'refused beside home': {
    says: 'The second document refused its check, and would still',
    documents: 2,
    past: [
      { minute: 10, do: 'fill merchant', amountMinor: 800 },
      { minute: 10, do: 'check' },
    ],
    standing: 'refused',
    beside: { merchant: { used: 0, held: 800 } },
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
  'answer lost': {
    says: 'The same, and its caller died before hearing of it',
    documents: 2,
    past: [{ minute: 10, do: 'check', diesAfter: AFTER_HOME }],
    standing: 'held',
  },
  'share left': {
    says: 'Its caller died before home was asked: the second document holds 3.00 for a call that home does not know',
    documents: 2,
    past: [{ minute: 10, do: 'check', diesAfter: BEFORE_HOME }],
    standing: 'unknown',
    left: 300,
  },
  'shares left, no room': {
    says: 'The same twice, and the second document has no room beside the two shares',
    documents: 2,
    past: [
      { minute: 10, do: 'check', diesAfter: BEFORE_HOME },
      { minute: 11, do: 'check', diesAfter: BEFORE_HOME },
      { minute: 12, do: 'fill merchant', amountMinor: 300 },
    ],
    standing: 'unknown',
    beside: { merchant: { used: 0, held: 300 } },
    left: 600,
  },
  'share left, home full': {
    says: 'A share is left, and home has no room by now',
    documents: 2,
    past: [
      { minute: 10, do: 'check', diesAfter: BEFORE_HOME },
      { minute: 11, do: 'fill user', amountMinor: 800 },
    ],
    standing: 'refused',
    beside: { user: { used: 0, held: 800 } },
    left: 300,
  },
  'share left, over': {
    says: 'A share is left, and its time is over',
    documents: 2,
    past: [{ minute: 0, do: 'check', diesAfter: BEFORE_HOME }],
    standing: 'unknown',
  },
  'held, share left': {
    says: 'A share is left, and a second check was allowed',
    documents: 2,
    past: [
      { minute: 10, do: 'check', diesAfter: BEFORE_HOME },
      { minute: 11, do: 'check' },
    ],
    standing: 'held',
    left: 300,
  },
  'held, share dropped': {
    says: 'A share stood in the way of a second check, which dropped it and was allowed',
    documents: 2,
    past: [
      { minute: 10, do: 'check', diesAfter: BEFORE_HOME },
      { minute: 11, do: 'fill merchant', amountMinor: 600 },
      { minute: 12, do: 'check' },
    ],
    standing: 'held',
    beside: { merchant: { used: 0, held: 600 } },
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
  'expired in two, swept': {
    says: 'The same, and another check moved both into the memory',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'sweep' },
    ],
    standing: 'expired',
  },
  'expired in two, swept beside home': {
    says: 'The same, in the second document alone',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'sweep merchant' },
    ],
    standing: 'expired',
  },
  'expired at home': {
    says: 'Its hold at home is over this very moment; its share outlives it by a second',
    documents: 2,
    past: [{ minute: 5, do: 'check' }],
    standing: 'expired',
    left: 300,
  },
  'expired at home, no room': {
    says: 'The same, and the second document has no room beside the share',
    documents: 2,
    past: [
      { minute: 5, do: 'check' },
      { minute: 10, do: 'fill merchant', amountMinor: 600 },
    ],
    standing: 'expired',
    beside: { merchant: { used: 0, held: 600 } },
    left: 300,
  },
  'expired in two, share forgotten': {
    says: 'Its holds are over, and so many others in the second document that it keeps its share no longer',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 1, do: 'crowd merchant' },
      { minute: 17, do: 'sweep merchant' },
    ],
    standing: 'expired, share forgotten',
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
  'held again in two': {
    says: 'The same over two documents',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'check' },
    ],
    standing: 'held',
  },
} as const satisfies Readonly<Record<string, OrderState>>;
