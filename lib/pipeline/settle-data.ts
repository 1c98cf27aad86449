/**
 * The data of settlements for one document. Orders are named by what is to become of them, so that a
 * hold is looked up in lists of ids and not among orders.
 */
export type SettleData = {
  /** Ids of all orders; none twice. */
  readonly ids: readonly string[];
  /** Ids of those to be confirmed. */
  readonly confirmed: readonly string[];
  /** Ids of those of which any hold is meant: at home. */
  readonly anyCall: readonly string[];
  /** Nonces of those of which only the hold of one call is meant. */
  readonly nonces: readonly string[];
  /** Final amounts of those whose amount is given. */
  readonly finals: readonly { readonly id: string; readonly amount: bigint }[];
  /** Shares beside home, which are told by their nonces alone. */
  readonly beside: boolean;
  /** What is taken away is kept for a late confirm, as what expired is. */
  readonly drops: boolean;
  readonly outcomesMax: number;
};
