import type { Actor } from '../shared/actor.ts';
import type { PlanSettings } from '../plan/plan.ts';
import type { DocumentView } from '../document/document.ts';
import type { ManyResult } from './many.ts';
import type {
  Described,
  OrderName,
  Subjects,
  CheckRequest,
  RecordRequest,
  SettlementRequest,
} from '../shared/request.ts';
import type { CompiledRules } from '../plan/compile.ts';
import { documentId, homeKind } from '../shared/subject.ts';
import type { CounterStore } from '../document/counter-store.ts';
import type { KnownTerms } from './known-terms.ts';
import type { Recall } from './known-memory.ts';
import type {
  Approved,
  CheckAnswer,
  ConfirmAnswer,
  RecordAnswer,
  SettlementAnswer,
} from './answer.ts';
import { groupedBy } from '../shared/grouped.ts';
import type { Crossing } from './near-row.ts';
import type { OrderTrace } from './order-trace.ts';

/** A subject that has nearly as much as it may: open holds beside home, or windows of rules of several subjects. */
export type Crowded =
  | { readonly of: 'shares'; readonly kind: string; readonly open: number; readonly most: number }
  | {
      readonly of: 'pairs';
      readonly kind: string;
      readonly windows: number;
      readonly most: number;
    };

/** What every call works with. */
export type Context = PlanSettings & {
  readonly counters: CounterStore;
  readonly rules: () => Promise<CompiledRules>;
  readonly clock: ReturnType<typeof databaseClock>;
  readonly nonce: () => string;
  readonly terms: KnownTerms;
  /** Where somebody remembers more orders than their homes do. */
  readonly recall?: Recall | undefined;
  readonly openHoldsMax: number;
  readonly openSharesMax: number;
  /** How many orders of a call of many each home has. */
  readonly asked?: ReadonlyMap<string, number>;
  readonly tellsNear: boolean;
  readonly onCrowded: (subject: Crowded) => void;
  readonly inOneCommit: boolean;
  readonly at?: Date;
  readonly requestId?: string | undefined;
  /** Who asks, for what waits for another person. */
  readonly by?: Actor | undefined;
};

/** Counts the orders of a call of many by their homes, for its context. */
export function askedAtHomes(
  requests: readonly (OrderName & { readonly subjects: Subjects })[],
  { homeKinds }: Pick<Context, 'homeKinds'>,
): Pick<Context, 'asked'> {
  if (requests.length < 2) return {};
  const byHome = groupedBy(requests, ({ subjects }) => {
    const kind = homeKind(subjects, homeKinds);
    return documentId(kind, subjects[kind] ?? '');
  });
  return { asked: new Map([...byHome].map(([home, orders]) => [home, orders.length])) };
}

/** Adds the difference that the last answer showed, so that a machine whose clock is wrong proposes right windows. */
export function databaseClock(machineNow: () => Date) {
  let differenceMs: number | undefined;
  return {
    estimate: (): Date => new Date(machineNow().getTime() + (differenceMs ?? 0)),
    observe: (databaseNow: Date | undefined): void => {
      if (databaseNow !== undefined) differenceMs = databaseNow.getTime() - machineNow().getTime();
    },
    isKnown: (): boolean => differenceMs !== undefined,
  };
}

/** Takes the instant from views, or as it was learned before; the server is asked where nothing has told it yet. */
export async function learnedTime(
  { at, clock, counters }: Pick<Context, 'at' | 'clock' | 'counters'>,
  views: Iterable<DocumentView> = [],
): Promise<Date> {
  if (at !== undefined) return at;
  for (const { databaseNow } of views) clock.observe(databaseNow);
  if (!clock.isKnown()) clock.observe(await counters.now());
  return clock.estimate();
}

/** What a call came to for one order, and what documents said meanwhile. */
export type Told<Answer> = {
  readonly result: ManyResult<Answer>;
  /** Absent where no document was asked, or rows have it already. Worked out when it is called. */
  readonly trace?: (() => OrderTrace | undefined) | undefined;
  /** By which an order was asked that nevertheless does not pass: a bound is in its way. */
  readonly approval?: Approved | undefined;
  /** The parts of maxima that it crossed. Absent if there are none, or if nobody listens. */
  readonly crossings?: readonly Crossing[] | undefined;
};

/** What the check of an order said, as far as somebody has kept it. */
export type CheckSaid = {
  readonly payment: Described;
  /** Whether it was kept if the check said it: an attribute that is absent was not said then. */
  readonly isKept: (name: string) => boolean;
};

/** Finds the maxima that a settlement exceeds by what its check said; null if that does not tell. */
export type Judge = (said: CheckSaid) => ConfirmAnswer['exceeded'];

/** What a settlement came to, and where the order was found. */
export type ToldSettlement = Told<SettlementAnswer> & {
  readonly whereabouts: SettlementRequest['whereabouts'];
  /** Of one that may exceed a maximum which only its check could tell. */
  readonly judge?: Judge | undefined;
};

type CallOf<Request, Answer> = (
  context: Context,
  requests: readonly Request[],
) => Promise<readonly Answer[]>;

/** Calls that change something. Results are in the order given; no order stands twice. */
export type Calls = {
  readonly check: (
    context: Context,
    requests: readonly CheckRequest[],
    atomic: boolean,
  ) => Promise<readonly Told<CheckAnswer>[]>;
  readonly settle: CallOf<SettlementRequest, ToldSettlement>;
  readonly record: CallOf<RecordRequest, Told<RecordAnswer>>;
};
