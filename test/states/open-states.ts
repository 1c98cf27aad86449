import type { OrderState } from './states.ts';

/** The caller dies when it has read both documents and holds a share in the merchant's. */
export const BEFORE_HOME = 2;
/** And when home holds it, or has counted it. */
export const AFTER_HOME = 3;

/** States in which nobody has said how the order ended, in the order of the page. */
export const OPEN_STATES = {
  unknown: { says: 'No check of it came', documents: 1, past: [], standing: 'unknown' },
  refused: {
    says: 'A check was refused, and a repeat would be refused, too',
    documents: 1,
    past: [
      { minute: 10, do: 'fill user', amountMinor: 800 },
      { minute: 10, do: 'check' },
    ],
    standing: 'refused',
    beside: { user: { used: 0, held: 800 } },
  },
  'refused beside home': {
    says: 'The second document refused the check, and would refuse a repeat',
    documents: 2,
    past: [
      { minute: 10, do: 'fill merchant', amountMinor: 800 },
      { minute: 10, do: 'check' },
    ],
    standing: 'refused',
    beside: { merchant: { used: 0, held: 800 } },
  },
  held: {
    says: 'A check was allowed, and nobody settled it',
    documents: 1,
    past: [{ minute: 10, do: 'check' }],
    standing: 'held',
  },
  'held in two': {
    says: 'A check was allowed over two documents, and nobody settled it',
    documents: 2,
    past: [{ minute: 10, do: 'check' }],
    standing: 'held',
  },
  'answer lost': {
    says: 'A check was allowed in two documents, and its caller died before it got the answer',
    documents: 2,
    past: [{ minute: 10, do: 'check', diesAfter: AFTER_HOME }],
    standing: 'held',
  },
  'share left': {
    says: 'The caller died before it asked home: the second document holds 3.00, and home knows nothing',
    documents: 2,
    past: [{ minute: 10, do: 'check', diesAfter: BEFORE_HOME }],
    standing: 'unknown',
    left: 300,
  },
  'shares left, no room': {
    says: 'Two callers died so, and the second document has no room beside the two shares',
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
    says: 'A share is left, and home has no room now',
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
    says: 'A share is left, and it has expired',
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
    says: 'A share blocked a second check, which dropped the share and was allowed',
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
    says: 'The hold expired, and no call wrote the document since',
    documents: 1,
    past: [{ minute: 0, do: 'check' }],
    standing: 'expired',
  },
  'expired, swept': {
    says: 'The hold expired, and another check moved it into the memory',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'sweep' },
    ],
    standing: 'expired',
  },
  'expired in two': {
    says: 'The holds in two documents expired',
    documents: 2,
    past: [{ minute: 0, do: 'check' }],
    standing: 'expired',
  },
  'expired in two, swept': {
    says: 'The holds in two documents expired, and another check moved both into the memory',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'sweep' },
    ],
    standing: 'expired',
  },
  'expired in two, swept beside home': {
    says: 'The holds in two documents expired, and another check moved only the second one',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'sweep merchant' },
    ],
    standing: 'expired',
  },
  'expired at home': {
    says: 'The hold at home expires at this instant; the share outlives it by a second',
    documents: 2,
    past: [{ minute: 5, do: 'check' }],
    standing: 'expired',
    left: 300,
  },
  'expired at home, no room': {
    says: 'The hold at home expires at this instant, and the second document has no room beside the share',
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
    says: 'The holds expired, and so many others expired in the second document that it forgot the share',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 1, do: 'crowd merchant' },
      { minute: 17, do: 'sweep merchant' },
    ],
    standing: 'expired, share forgotten',
  },
  'held again': {
    says: 'The first hold expired, and a second check was allowed',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'check' },
    ],
    standing: 'held',
  },
  'held again in two': {
    says: 'The first hold expired, and a second check was allowed, over two documents',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'check' },
    ],
    standing: 'held',
  },
} as const satisfies Readonly<Record<string, OrderState>>;
