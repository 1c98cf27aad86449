import type { Missing } from './result.ts';

/** A maximum, and whom it would have refused. */
export type Point = {
  readonly maximum: number;
  /** At most this share of subjects was asked for. */
  readonly share: number;
  readonly subjects: number;
  /** Orders above it, each judged by those before it. */
  readonly orders: number;
  /** Absent where the rule counts orders of any currency: their amounts are never added up. */
  readonly amount?: number;
};

/** Maxima for some shares of subjects. */
export type Curve = {
  /** So many had an order that the maximum decides about. */
  readonly subjects: number;
  /** The least maximum by which at most the share that was asked for would ever have been refused. */
  readonly suggested: Point;
  readonly points: readonly Point[];
};

/** Orders that passed; or all, as if each had passed and been paid, once. */
export const DEMANDS = ['passed', 'all'] as const;
/** One of them. */
export type Demand = (typeof DEMANDS)[number];

/** One maximum of a rule. Its other maxima refuse nothing. */
export type SuggestedMaximum = {
  readonly of: 'amount' | 'count';
  /** Where the maximum is by an attribute: its name, and for which value; null for all others. */
  readonly by?: { readonly name: string; readonly value: string | null };
  /** As the rule has it. */
  readonly present: number;
  /** The largest that the rule may have. */
  readonly most: number;
} & Readonly<Record<Demand, Curve | null>>;

/** Which maxima of a rule would have refused how many. */
export type Suggestion = {
  readonly rule: string;
  readonly currency: string | null;
  readonly from: string;
  readonly to: string;
  readonly warmUpFrom: string;
  readonly rows: number;
  readonly share: number;
  readonly maxima: readonly SuggestedMaximum[];
  /** Subjects that all maxima together would have refused, as they are suggested. */
  readonly together: Readonly<Record<Demand, number>>;
  /** Subjects with a maximum of their own: they are left out. */
  readonly ownMaxima: number;
  readonly missing: Missing;
};
