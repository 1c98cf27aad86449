/**
 * The data of many confirms, rollbacks and withdrawals for one document. Orders are named by what is
 * to become of them, so that a hold is looked up in lists of ids and not among orders.
 */
export type SettleManyData = {
  /** Ids of all orders; none twice. */
  readonly ids: readonly string[];
  /** Ids of those to be confirmed. */
  readonly confirmed: readonly string[];
  /** Ids of those whose pending hold never was: what is remembered of them stays. */
  readonly withdrawn: readonly string[];
  /** Ids of those of which any hold is meant. */
  readonly anyCall: readonly string[];
  /** Those of which only the hold of one call is meant. */
  readonly oneCall: readonly { readonly id: string; readonly nonce: string }[];
  /** Ids of those of which a hold is meant, too, that another call took over: beside home. */
  readonly takenOver: readonly string[];
  /** Ids of those of which no hold is meant that is complete. */
  readonly onlyPending: readonly string[];
  /** Final amounts of those whose amount is given. */
  readonly finals: readonly { readonly id: string; readonly amount: bigint }[];
  /** Whether outcomes are remembered here: home remembers, other documents only count. */
  readonly remembers: boolean;
};
