import type { DocumentView } from './document/document.ts';
import type { SettlementRequest } from '../shared/request.ts';
import type { Settlement, SettlementAsk } from './settlement.ts';
import type { Place } from './place.ts';
import type { Followed } from './shares.ts';

/** A settlement that settled. */
export type Settled = Extract<Settlement, { readonly kind: 'settled' }>;

/** One settlement while the call runs. */
export type Item = {
  readonly request: SettlementRequest;
  readonly id: string;
  readonly place: Place;
  readonly ask: SettlementAsk;
};

/** What documents said to a settlement. */
export type Heard = {
  readonly item: Item;
  /** Home before it; undefined where there is none. */
  readonly view: DocumentView | undefined;
  readonly settled: Settled;
  readonly followed: readonly Followed[];
};
