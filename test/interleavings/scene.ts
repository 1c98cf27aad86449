/** What a story is about: orders, the maxima they meet, and the calls that are made of them. */
import { documentOf, holdId, kindsIn } from '../../lib/shared/subject.ts';
import { appOf } from '../model/model-types.ts';
import type { Subjects } from '../../lib/shared/request.ts';

/** How long a hold lasts here. */
export const HOLD_MS = 60_000;

/** An application of which some orders are: its name stands before their ids. */
export const WALLET = 'wallet';

export type SceneOrder = {
  readonly orderId: string;
  readonly subjects: Subjects;
  /** The kind of a document that some of its subjects have together: `user|merchant`. */
  readonly together?: string;
  readonly capture: boolean;
  /** Records say that it failed, and why. */
  readonly failed?: Failure;
  /** Once it is confirmed it lowers the sums of rules that something lowers, and enters none of them. */
  readonly isPayout?: boolean;
  /** It asks for its final amount, and takes no less than the other one: the first of a scene alone. */
  readonly isPartial?: boolean;
  /** Where rules count different cards. */
  readonly card?: string;
};

/** Why a payment failed: one of two codes, or none that anybody told. */
export type Failure = { readonly reasonCode?: ReasonCode };

export type ReasonCode = 'wrong-pin' | 'no-funds';

/**
 * Of what a settlement is told: the newest answer of a check or the first, all subjects, home's alone,
 * nothing but the order's id, for the audit knows it, or, by mistake, all subjects but home's.
 */
export type Naming = 'reservation' | 'first' | 'subjects' | 'home' | 'recorded' | 'others';

/** Which lane is asked first: as it is learned, always one, or by the chance of a seed. */
export type SceneLanes = 'learning' | 'plain' | 'general' | number;

/** How a call is made, where a scene's calls differ. */
export type SceneMode = {
  /** It writes several documents in one commit; as the scene has it when absent. */
  readonly isOneCommit?: boolean;
  /** Its process has not heard of the newest rules. */
  readonly isStale?: boolean;
  /** Its orders have the proof that rules may ask for. */
  readonly isProven?: boolean;
};

/** One call, made once. Orders are named by their place in the scene, calls by a name. */
export type SceneCall = { readonly name: string } & SceneMode & SceneAction;

export type SceneAction =
  | { readonly do: 'check'; readonly order: number }
  | { readonly do: 'dryRun'; readonly order: number }
  | { readonly do: 'checks'; readonly orders: readonly number[]; readonly atomic: boolean }
  | ({ readonly do: 'settle' } & SceneSettlement)
  | { readonly do: 'settlements'; readonly settlements: readonly SceneSettlement[] }
  /** Payments that happened, each an hour before the story. */
  | { readonly do: 'record'; readonly orders: readonly number[] }
  | ({ readonly do: 'refund' } & SceneRefund)
  /** Another order's check, of which the document is tidied and nothing stays held. */
  | { readonly do: 'sweep'; readonly document: string }
  /** Another order of many counters is checked and rolled back: all of them are empty then. */
  | { readonly do: 'empty'; readonly document: string }
  /** Support gives a subject other terms. */
  | { readonly do: 'terms'; readonly document: string; readonly wish: SceneWish }
  /** The next of the scene's rules are in force. */
  | { readonly do: 'rules' };

/** An override is of the rule for all payments. */
export type SceneWish =
  | { readonly kind: 'freeze'; readonly forMs?: number }
  | { readonly kind: 'unfreeze' | 'endOverride' }
  | {
      readonly kind: 'override';
      readonly max: Partial<Maximum>;
      readonly afterMs?: number;
      readonly forMs?: number;
    };

export type SceneRefund = {
  readonly order: number;
  readonly refundId: string;
  /** In parts of ten of the order's final amount; all that is left when absent. */
  readonly tenths?: number;
  readonly by: Naming;
};

export type SceneSettlement = {
  readonly order: number;
  readonly to: 'confirmed' | 'rolledBack';
  readonly by: Naming;
  /** Confirms the larger, final amount. */
  readonly isFinal?: boolean;
  /** Why it is rolled back. */
  readonly reasonCode?: ReasonCode;
};

export type Maximum = { readonly amount: number; readonly count: number };

export type SceneRuleSet = SceneCounters & {
  /** By subject kind. A kind of the first rules that is missing in later ones has no rule for payments any more. */
  readonly maxima: Readonly<Record<string, Maximum>>;
  /** An order may enter many counters, which its rollback leaves empty; and refunds give back the count alone. */
  readonly emptied?: boolean;
  /** Kinds whose payments are counted by the day; those of others for ever. */
  readonly daily?: readonly string[];
};

/** Counters beside those of all payments, for every kind. `COUNTER_KINDS` has the rule of each. */
export type SceneCounters = {
  /** Bounds the orders of one minute; a hold outlives this window. */
  readonly minuteCount?: number;
  /** Bounds the orders of a span that ends now. */
  readonly rolling?: SceneRolling;
  /** Bounds all orders; it refuses none. */
  readonly shadow?: { readonly count: number; readonly isExact: boolean };
  /** Bounds the orders that are rolled back. */
  readonly failed?: SceneFailed;
  /** Orders of a kind, above which a rule tells so, and refuses none. */
  readonly told?: number;
  /** Orders of a kind, above which a rule asks for a proof. */
  readonly unproven?: number;
  /** Bounds the orders of a day's first hours; they end while a story goes on. */
  readonly hoursCount?: number;
  /** Bounds the amounts of payments, less those of payouts that are confirmed. */
  readonly level?: number;
  /** Bounds the different cards of orders. */
  readonly cards?: number;
  /** Bounds the attempts of users that nobody ends. */
  readonly expired?: number;
};

export type SceneRolling = {
  readonly count: number;
  readonly spanMs: number;
  readonly stepMs: number | 'exact';
};

/** Counts those that are rolled back with one of some codes, or with any; by the minute, or as all payments are. */
export type SceneFailed = {
  readonly count: number;
  readonly reasonCodes?: readonly ReasonCode[];
  readonly isMinute?: boolean;
};

export type Scene = SceneRuleSet & {
  readonly orders: readonly SceneOrder[];
  /** Rules that come into force one after the other, each by a call. */
  readonly laterRules?: readonly SceneRuleSet[];
  readonly calls: readonly SceneCall[];
  readonly onUndecided: 'refuse' | 'allow';
  /** A call writes several documents in one commit. */
  readonly isOneCommit: boolean;
  /** Whether rows are written of what calls do: afterwards, or in one commit with it. */
  readonly audit?: 'best-effort' | 'session';
  /** Holds that may be open in a document, of orders whose home it is and of others; many when absent. */
  readonly openMax?: {
    readonly holds: number;
    readonly shares: number;
    /** Of these, the percentage that the application of some orders may have; all when absent. */
    readonly walletPercent?: number;
  };
  /** How far the clock by which documents are deleted is ahead; none is deleted when absent. */
  readonly deletionAheadMs?: number;
  readonly lanes: SceneLanes;
  /** Outcomes and expired shares that a document remembers; as many as usual when absent. */
  readonly outcomesMax?: number;
  /** How far the clock of every other caller is ahead of the database's. */
  readonly aheadMs: number;
  /** By subject kind: how far the clock of the server that has the document is ahead; less than the slack. */
  readonly serversAheadMs: Readonly<Record<string, number>>;
  readonly ending: Ending;
};

/** How a story ends, once every call has ended or its caller is gone. */
export type Ending = {
  /** Cut settlements are repeated after every hold's time, and after a sweep. */
  readonly isLate: boolean;
  /** Orders that are confirmed by their reservation, if they were allowed and nobody settled them. */
  readonly confirms: readonly number[];
  /** Those of them that are rolled back instead. */
  readonly fails?: readonly number[];
  /** What is still on its way takes effect at last; otherwise it never does. */
  readonly arrives: boolean;
};

/**
 * What an order asks for. Amounts are digits of one number, two places an order, so that a sum tells
 * which orders are in it and how often: 0201 is twice the first, and once the second with ten times
 * its amount.
 */
export function amountOf(order: number): number {
  return 100 ** order;
}

/** The larger amount that its confirm may tell. */
export function finalAmountOf(order: number): number {
  return 10 * amountOf(order);
}

/** The amounts that a check of an order may hold. */
export function heldAmountsOf({ orders }: Scene, order: number): readonly number[] {
  const isPartial = orders[order]?.isPartial === true;
  return isPartial ? [amountOf(order), finalAmountOf(order)] : [amountOf(order)];
}

/** The order of a hold, which has the amount that it asked for. */
export function orderOfAmount(scene: Scene, amount: number): SceneOrder {
  return orderIn(
    scene,
    scene.orders.findIndex((_, order) => heldAmountsOf(scene, order).includes(amount)),
  );
}

/** How often an order is in a sum, as it was asked and with its final amount. */
export function timesIn(
  sum: number,
  order: number,
): { readonly asked: number; readonly final: number } {
  const places = Math.floor(sum / amountOf(order)) % 100;
  return { asked: places % 10, final: Math.floor(places / 10) };
}

/** How much of a sum is of an order. */
export function partOf(sum: number, order: number): number {
  return (Math.floor(sum / amountOf(order)) % 100) * amountOf(order);
}

/** How often an order is in a sum, whatever its amount. */
export function timesOf(sum: number, order: number): number {
  const { asked, final } = timesIn(sum, order);
  return asked + final;
}

/** Documents in which an order has shares; all of its subjects have rules. */
export function documentsOf({
  subjects,
  together,
}: Pick<SceneOrder, 'subjects' | 'together'>): readonly string[] {
  const kinds = [...Object.keys(subjects), ...(together === undefined ? [] : [together])];
  return kinds.map((kind) => documentOf(kind, subjects));
}

/** The id of an order in documents. */
export function idOf({ orderId }: Pick<SceneOrder, 'orderId'>): string {
  return holdId({ appId: appOf(orderId), orderId });
}

export function homeOf(order: Pick<SceneOrder, 'subjects'>): string {
  const [first] = documentsOf({ subjects: homeSubjects(order) });
  if (first === undefined) throw new Error('an order has a subject');
  return first;
}

/** The subject that is home to an order: a user, or the first of the alphabet. */
export function homeSubjects({ subjects }: Pick<SceneOrder, 'subjects'>): Subjects {
  const [first] = Object.keys(subjects).sort();
  const kind = 'user' in subjects ? 'user' : (first ?? '');
  return { [kind]: subjects[kind] ?? '' };
}

export function otherSubjects(order: Pick<SceneOrder, 'subjects'>): Subjects {
  const home = Object.keys(homeSubjects(order));
  return Object.fromEntries(
    Object.entries(order.subjects).filter(([kind]) => !home.includes(kind)),
  );
}

export function orderIn({ orders }: Scene, order: number): SceneOrder {
  const found = orders[order];
  if (found === undefined) throw new Error(`the scene has no order ${order}`);
  return found;
}

/** The orders that have the id of one, itself among them: each home may have its own. */
export function twinsOf({ orders }: Scene, order: number): readonly number[] {
  const id = orders[order]?.orderId;
  return [...orders.keys()].filter((one) => orders[one]?.orderId === id);
}

export function allDocuments({ orders }: Scene): readonly string[] {
  return [...new Set(orders.flatMap(documentsOf))];
}

/** Kinds of subjects whose document every check asks that names one: all, where support changes terms. */
export function freezableKinds({ calls, maxima }: Scene): readonly string[] {
  const kinds = Object.keys(maxima).filter((kind) => kindsIn(kind).length === 1);
  return calls.some((call) => call.do === 'terms') ? kinds : [];
}

export function ordersOf(call: SceneCall): readonly number[] {
  switch (call.do) {
    case 'check':
    case 'dryRun':
    case 'settle':
    case 'refund':
      return [call.order];
    case 'checks':
    case 'record':
      return call.orders;
    case 'settlements':
      return call.settlements.map(({ order }) => order);
    case 'sweep':
    case 'empty':
    case 'terms':
    case 'rules':
      return [];
  }
}

/** The orders that a call asks their homes about: who names the wrong documents asks nothing of an order. */
export function askedIn(call: SceneCall): readonly number[] {
  if (call.do !== 'settlements') return ordersOf(call);
  return call.settlements.flatMap(({ by, order }) => (by === 'others' ? [] : [order]));
}

export function describeCall(call: SceneCall, scene: Scene): string {
  const { isOneCommit = scene.isOneCommit, isStale = false, isProven = false } = call;
  const modes = [
    isOneCommit ? 'in one commit' : '',
    isStale ? 'by the rules before' : '',
    isProven ? 'with the proof' : '',
  ];
  return [describe(call, scene), ...modes.filter((mode) => mode !== '')].join(', ');
}

function describe(call: SceneCall, { orders }: Scene): string {
  const nameOf = (order: number): string => orders[order]?.orderId ?? '?';
  const settlement = ({ order, to, by, isFinal = false, reasonCode }: SceneSettlement): string => {
    const how = [isFinal ? ', the final amount' : '', reasonCode ? ` for ${reasonCode}` : ''];
    return `${to === 'confirmed' ? 'confirm' : 'roll back'} ${nameOf(order)} by ${by}${how.join('')}`;
  };
  switch (call.do) {
    case 'check':
      return `${call.name}: check ${nameOf(call.order)}`;
    case 'checks':
      return `${call.name}: check ${call.orders.map(nameOf).join(', ')}${call.atomic ? ', all or none' : ''}`;
    case 'settle':
      return `${call.name}: ${settlement(call)}`;
    case 'settlements':
      return `${call.name}: ${call.settlements.map(settlement).join('; ')}`;
    case 'record':
      return `${call.name}: record ${call.orders.map(nameOf).join(', ')}`;
    case 'dryRun':
      return `${call.name}: look whether ${nameOf(call.order)} would pass`;
    case 'sweep':
      return `${call.name}: sweep ${call.document}`;
    case 'empty':
      return `${call.name}: empty many counters of ${call.document}`;
    case 'refund':
      return `${call.name}: refund ${call.tenths ?? 'all'} of ${nameOf(call.order)} by ${call.by}, ${call.refundId}`;
    case 'terms':
      return `${call.name}: ${JSON.stringify(call.wish)} for ${call.document}`;
    case 'rules':
      return `${call.name}: the next rules come into force`;
  }
}
