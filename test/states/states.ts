/**
 * The states that an order may be in, and how it got there. Operations of the table come 20 minutes
 * after ten o'clock; a hold lasts 15. The order is one of 3.00 CNY; every rule has a maximum of 9.99.
 */

/**
 * Events in the life of an order. A caller dies after so many calls to the store: of a check over two
 * documents after 2, when it holds a share beside home, or after 3, when home holds it, too.
 *
 * - `fill user 800` and `fill merchant 800`: another order holds so much, of the same user, or of another
 *   user at the same merchant.
 * - `sweep` and `sweep merchant`: another order is checked, in all documents or by another user, which moves
 *   what expired into the memory.
 * - `forget`: as many outcomes of other orders come as home remembers.
 * - `crowd merchant`: as many orders of another user are checked at the merchant as it keeps expired shares.
 */
const EVENTS = [
  ...(['check', 'capture', 'confirm', 'confirm 2.00', 'rollback', 'record'] as const),
  ...(['fill user', 'fill merchant', 'sweep', 'sweep merchant'] as const),
  ...(['forget', 'crowd merchant'] as const),
];

/** One event, so many minutes after ten o'clock. */
export type Happening = {
  readonly minute: number;
  readonly do: (typeof EVENTS)[number];
  readonly amountMinor: number;
  readonly diesAfter: number | undefined;
};

const HAPPENING = /^(\d+) ([a-z]+(?: [a-z]+| 2\.00)?)(?: (\d+))?(?:, dies after (\d))?$/;

/** @throws Error naming the event that means nothing */
export function happeningsOf({ past }: OrderState): readonly Happening[] {
  const texts = past === '' ? [] : past.split('; ');
  return texts.map((text) => {
    const [, minute, what, amount = 0, diesAfter] = HAPPENING.exec(text) ?? [];
    const event = EVENTS.find((one) => one === what);
    if (event === undefined) throw new Error(`"${text}" means nothing`);
    return {
      minute: Number(minute),
      do: event,
      amountMinor: Number(amount),
      diesAfter: diesAfter === undefined ? undefined : Number(diesAfter),
    };
  });
}

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
// prettier-ignore
export const STANDINGS = {
  unknown: { look: 'would be allowed', end: 'NOT_FOUND', user: NOTHING },
  refused: { look: 'refused', end: 'NOT_FOUND', user: NOTHING },
  held: { look: 'allowed, repeated', end: 'confirmed', user: HELD },
  'held, 3.01': { look: 'ORDER_REUSED', end: 'confirmed, 3.01', user: { used: 0, held: 301 } },
  'held after all': { look: 'ORDER_REUSED', end: 'confirmed', user: HELD },
  expired: { look: 'would be allowed', end: 'confirmed, late', user: NOTHING },
  'expired, share forgotten': { look: 'would be allowed', end: 'confirmed, late, not at merchant:m-1', user: NOTHING },
  confirmed: { look: 'allowed, repeated, confirmed', end: 'confirmed, repeated', user: USED },
  'confirmed, 2.00': { look: 'allowed, repeated, confirmed', end: 'confirmed, 2.00, repeated', user: USED_LESS },
  'confirmed at home': { look: 'allowed, repeated, confirmed', end: 'confirmed, repeated', user: USED, merchant: HELD },
  'confirmed at home, share over': { look: 'allowed, repeated, confirmed', end: 'confirmed, repeated', user: USED, merchant: NOTHING },
  late: { look: 'allowed, repeated, confirmed', end: 'confirmed, late, repeated', user: USED },
  'late, 2.00': { look: 'allowed, repeated, confirmed', end: 'confirmed, 2.00, late, repeated', user: USED_LESS },
  'late at home': { look: 'allowed, repeated, confirmed', end: 'confirmed, late, repeated', user: USED, merchant: NOTHING },
  'late, uncounted': { look: 'allowed, repeated, confirmed', end: 'confirmed, late, repeated, not at merchant:m-1', user: USED, merchant: NOTHING },
  'late, 2.00, uncounted': { look: 'allowed, repeated, confirmed', end: 'confirmed, 2.00, late, repeated, not at merchant:m-1', user: USED_LESS, merchant: NOTHING },
  'captured, 3.01': { look: 'ORDER_REUSED', end: 'confirmed, 3.01, repeated', user: { used: 301, held: 0 } },
  recorded: { look: 'ORDER_REUSED', end: 'confirmed, repeated', user: USED },
  'recorded, 3.01': { look: 'ORDER_REUSED', end: 'confirmed, 3.01, repeated', user: { used: 301, held: 0 } },
  'captured after all': { look: 'ORDER_REUSED', end: 'confirmed, repeated', user: USED },
  'rolled back': { look: 'ALREADY_ROLLED_BACK', end: 'ALREADY_ROLLED_BACK', user: NOTHING },
  'rolled back at home': { look: 'ALREADY_ROLLED_BACK', end: 'ALREADY_ROLLED_BACK', user: NOTHING, merchant: HELD },
  forgotten: { look: 'would be allowed', end: 'FORGOTTEN', user: NOTHING },
} as const satisfies Readonly<Record<string, Standing>>;

export type StandingName = keyof typeof STANDINGS;

export type OrderState = {
  readonly says: string;
  readonly documents: 1 | 2;
  /** Its events: `10 check, dies after 2; 11 fill user 800`. */
  readonly past: string;
  readonly standing: StandingName;
  /** What counts beside the order. */
  readonly beside?: { readonly user?: Sums; readonly merchant?: Sums };
  /** What the merchant's document holds for calls of the order that home does not name. */
  readonly left?: number;
  /** Its check was one that counts at once. */
  readonly captures?: true;
};
