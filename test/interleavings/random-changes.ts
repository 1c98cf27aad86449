/** What changes in a scene by chance, besides its orders: modes, bounds, terms, rules, and what is deleted. */
import { SLACK_MS } from '../../lib/shared/bounds.ts';
import { appOf } from '../model/model-types.ts';
import type { Chance } from './chance.ts';
import { withCards } from './random-values.ts';
import { mixed, withLevels, withRoomFor } from './random-levels.ts';
import { withPartial } from './random-partial.ts';
import type {
  Failure,
  Maximum,
  ReasonCode,
  Scene,
  SceneCall,
  SceneFailed,
  SceneRolling,
  SceneRuleSet,
  SceneSettlement,
  SceneWish,
} from './scene.ts';
import {
  HOLD_MS,
  WALLET,
  allDocuments,
  amountOf,
  homeOf,
  homeSubjects,
  orderIn,
  ordersOf,
  otherSubjects,
  twinsOf,
} from './scene.ts';

type Changing = { readonly scene: Scene; readonly waits: readonly number[] };

/** From the beginning of a story to the end of its day. */
const REST_OF_DAY_MS = ((13 * 60 + 59) * 60 + 40) * 1_000;

const WEEK_MS = 604_800_000;
/** Documents go at the full hour. */
const WEEK_AND_HOUR_MS = WEEK_MS + 3_600_000;

/** To the end of the day, a moment before and after, and beyond what is remembered. */
const LONG_WAITS = [
  ...[REST_OF_DAY_MS - 1, REST_OF_DAY_MS, REST_OF_DAY_MS + 60_001],
  ...[WEEK_MS - 1, WEEK_MS + HOLD_MS, WEEK_AND_HOUR_MS + 2 * HOLD_MS, WEEK_MS + REST_OF_DAY_MS],
];

/** What changes in a scene by chance. */
export type Change =
  | keyof typeof CHANGES
  | keyof typeof APART
  /** Writes wait in the database behind others. Only where it is asked for. */
  | 'waits';

type Changes = Readonly<
  Record<
    string,
    {
      /** In how many of a hundred scenes; only where it is asked for when absent. */
      readonly percent?: number;
      readonly make: (chance: Chance, changing: Changing) => Changing;
    }
  >
>;

const inScene =
  (make: (chance: Chance, scene: Scene) => Scene) =>
  (chance: Chance, { scene, waits }: Changing): Changing => ({
    scene: make(chance, scene),
    waits,
  });

/** One after the other. */
const CHANGES = {
  modes: { percent: 30, make: inScene(withModes) },
  open: {
    percent: 35,
    make: inScene((chance, scene) => {
      const openMax = { holds: 1 + chance.below(2), shares: 1 + chance.below(2) };
      return { ...scene, openMax };
    }),
  },
  deletion: { percent: 20, make: withDeletion },
  rolling: {
    percent: 25,
    make: inScene((chance, scene) => ({ ...scene, rolling: rollingBy(chance, scene) })),
  },
  shadow: {
    percent: 25,
    make: inScene((chance, scene) => ({ ...scene, shadow: shadowBy(chance, scene) })),
  },
  rules: { percent: 25, make: inScene(withRules) },
  terms: { percent: 25, make: inScene(withTerms) },
  audit: { percent: 25, make: inScene(withAudit) },
} as const satisfies Changes;

/** Changes that have a chance of their own, so that stories without them stay as they are. */
const APART = {
  twins: { percent: 15, make: withTwinBeside },
  emptied: { percent: 10, make: inScene(withEmptied) },
  failures: { percent: 25, make: inScene(withFailures) },
  excesses: { percent: 25, make: inScene(withExcesses) },
  hours: {
    percent: 15,
    make: (chance, { scene, waits }) => ({
      scene: withHours(chance, scene),
      waits: [HOLD_MS, ...waits],
    }),
  },
  levels: { percent: 20, make: inScene(withLevels) },
  partial: {
    percent: 20,
    make: inScene((chance, scene) =>
      scene.failed === undefined ? withPartial(chance, scene) : scene,
    ),
  },
  cards: { percent: 20, make: inScene(withCards) },
  expiries: { percent: 20, make: inScene(withExpiries) },
  /** Some orders are of an application that may have a part of the places. */
  apps: { percent: 20, make: inScene(withApps) },
  /** User and merchant have a document together. */
  pairs: { make: inScene(withPairs) },
} as const satisfies Changes;

/** Changes a scene by chance: most have one or two of all changes, and those that are asked for. */
export const changed = changing(CHANGES);

/** As `changed`, by a chance of its own. */
export const apart = changing(APART);

function changing(changes: Changes) {
  return (chance: Chance, plain: Changing, asked: readonly string[]): Changing =>
    Object.entries(changes).reduce((scene, [change, { percent, make }]) => {
      const isLucky = percent !== undefined && chance.isLucky(percent);
      return isLucky || asked.includes(change) ? make(chance, scene) : scene;
    }, plain);
}

function withDeletion(chance: Chance, { scene, waits }: Changing): Changing {
  const daily = Object.keys(scene.maxima).filter(() => chance.isLucky(70));
  const deletionAheadMs = chance.pick([0, 0, 30_000]);
  const long = LONG_WAITS.filter(() => chance.isLucky(25));
  return {
    scene: { ...scene, daily, deletionAheadMs },
    waits: chance.isLucky(60)
      ? [WEEK_AND_HOUR_MS + 2 * HOLD_MS, ...waits, ...long]
      : [...waits, ...long],
  };
}

/** Orders of a user and a merchant count in a document of both, under most rules. The one or the other has the terms. */
function withPairs(chance: Chance, scene: Scene): Scene {
  const kind = chance.pick(['user|merchant', 'merchant|user']);
  const orders = scene.orders.map((order) =>
    ['user', 'merchant'].every((one) => one in order.subjects)
      ? { ...order, together: kind }
      : order,
  );
  const withMaximum = <Rules extends SceneRuleSet>(rules: Rules): Rules => ({
    ...rules,
    maxima: { ...rules.maxima, [kind]: maximumBy(chance, orders.length) },
  });
  const later = scene.laterRules?.map((set) => (chance.isLucky(70) ? withMaximum(set) : set));
  return { ...withMaximum({ ...scene, orders }), ...(later && { laterRules: later }) };
}

/** Some orders are of an application that may have a part of the places. Orders of one id stay so. */
function withApps(chance: Chance, scene: Scene): Scene {
  const ids = new Set(scene.orders.map(({ orderId }) => orderId));
  const own = new Set([...ids].filter(() => chance.isLucky(60)));
  const orders = scene.orders.map((order) =>
    own.has(order.orderId) ? { ...order, orderId: `${WALLET}/${order.orderId}` } : order,
  );
  // A call of many has one application.
  const calls = scene.calls.map((call): SceneCall => {
    if (call.do !== 'checks') return call;
    const appIn = (order: number): string => appOf(orderIn({ ...scene, orders }, order).orderId);
    const [first = 0] = call.orders;
    return { ...call, orders: call.orders.filter((order) => appIn(order) === appIn(first)) };
  });
  const places = { holds: 2 + chance.below(2), shares: 2 + chance.below(2) };
  const openMax = { ...places, walletPercent: chance.pick([50, 50, 1]) };
  return { ...scene, orders, calls, openMax };
}

/** Attempts that nobody ends are counted, under all rules. */
function withExpiries(chance: Chance, scene: Scene): Scene {
  const { laterRules } = scene;
  const expired = 1 + chance.below(scene.orders.length);
  const later = laterRules && { laterRules: laterRules.map((set) => ({ ...set, expired })) };
  return { ...scene, expired, ...later };
}

/** Above a maximum rules tell so, or ask for a proof, which some calls have. */
function withExcesses(chance: Chance, scene: Scene): Scene {
  const most = (): number => 1 + chance.below(scene.orders.length);
  const withMaxima = <Rules extends SceneRuleSet>(rules: Rules): Rules => ({
    ...rules,
    ...(chance.isLucky(70) ? { told: most() } : {}),
    ...(chance.isLucky(70) ? { unproven: most() } : {}),
  });
  const calls = scene.calls.map((call) =>
    chance.isLucky(40) ? { ...call, isProven: true } : call,
  );
  const { laterRules } = scene;
  return {
    ...withMaxima({ ...scene, calls }),
    ...(laterRules && { laterRules: laterRules.map(withMaxima) }),
  };
}

const FAILURES: readonly Failure[] = [
  { reasonCode: 'wrong-pin' },
  { reasonCode: 'wrong-pin' },
  { reasonCode: 'no-funds' },
  {},
];

function failedBy(chance: Chance, orders: number): SceneFailed {
  const reasonCodes = chance.pick<readonly ReasonCode[]>([
    ['wrong-pin'],
    ['no-funds', 'wrong-pin'],
  ]);
  return {
    count: 1 + chance.below(orders),
    ...(chance.isLucky(60) ? { reasonCodes } : {}),
    ...(chance.isLucky(25) ? { isMinute: true } : {}),
  };
}

/** Rules are in effect until a moment of the story, each beside those that always are. */
function withHours(chance: Chance, scene: Scene): Scene {
  const withCount = <Rules extends SceneRuleSet>(rules: Rules): Rules =>
    chance.isLucky(80) ? { ...rules, hoursCount: 1 + chance.below(scene.orders.length) } : rules;
  const { laterRules } = scene;
  const later = laterRules && { laterRules: laterRules.map(withCount) };
  return { ...withCount(scene), ...later };
}

/** Orders that are rolled back are counted, by codes; more are, and some again with another code. */
function withFailures(chance: Chance, scene: Scene): Scene {
  const { ending, laterRules } = scene;
  const failed = failedBy(chance, scene.orders.length);
  const orders = scene.orders.map((order) =>
    chance.isLucky(30) ? { ...order, failed: chance.pick(FAILURES) } : order,
  );
  const failing = <Settlement extends SceneSettlement>(one: Settlement): Settlement => {
    if (one.to === 'confirmed' && chance.isLucky(60)) return one;
    return { ...one, to: 'rolledBack', isFinal: false, ...chance.pick(FAILURES) };
  };
  const again = scene.calls.flatMap((call): readonly SceneCall[] => {
    if (call.do !== 'settle' || chance.isLucky(60)) return [];
    const by = call.by === 'others' ? 'subjects' : call.by;
    const { name, order } = call;
    return [
      {
        name: `${name}-again`,
        do: 'settle',
        to: 'rolledBack',
        order,
        by,
        ...chance.pick(FAILURES),
      },
    ];
  });
  const calls = scene.calls.map((call): SceneCall => {
    if (call.do === 'settle') return failing(call);
    if (call.do !== 'settlements') return call;
    return { ...call, settlements: call.settlements.map(failing) };
  });
  const later = laterRules?.map((set) => {
    const other = chance.isLucky(40) ? failed : failedBy(chance, orders.length);
    return chance.isLucky(25) ? set : { ...set, failed: other };
  });
  return {
    ...{ ...scene, orders, failed, calls: mixed(chance, calls, again) },
    ...(later && { laterRules: later }),
    ending: { ...ending, fails: ending.confirms.filter(() => chance.isLucky(50)) },
  };
}

function withModes(chance: Chance, scene: Scene): Scene {
  if (Object.keys(scene.maxima).length < 2) return scene;
  const calls = scene.calls.map((call) => ({ ...call, isOneCommit: chance.isLucky(50) }));
  return { ...scene, calls };
}

/** Other rules come into force, which not every process hears of at once. */
function withRules(chance: Chance, scene: Scene): Scene {
  const sets = Array.from({ length: 1 + chance.below(2) }, () => rulesBy(chance, scene));
  const changes = sets.map((_, index): SceneCall => ({ name: `rules-${index}`, do: 'rules' }));
  const calls = scene.calls.map((call) => ({ ...call, isStale: chance.isLucky(35) }));
  return { ...scene, calls: mixed(chance, calls, changes), laterRules: sets };
}

/** As long as a hold, or so long that a payment of an hour ago counts. */
function rollingBy(chance: Chance, { orders }: Scene): SceneRolling {
  const span = chance.pick([
    { spanMs: HOLD_MS, stepMs: 10_000 },
    { spanMs: HOLD_MS, stepMs: 'exact' },
    { spanMs: 1_000, stepMs: 'exact' },
    { spanMs: 120 * HOLD_MS, stepMs: 10 * HOLD_MS },
  ] as const);
  return { ...span, count: 1 + chance.below(orders.length) };
}

function shadowBy(chance: Chance, { orders }: Scene): NonNullable<Scene['shadow']> {
  return { count: 1 + chance.below(orders.length), isExact: chance.isLucky(40) };
}

function rulesBy(chance: Chance, scene: Scene): SceneRuleSet {
  const { orders, maxima, minuteCount, rolling, shadow, daily = [] } = scene;
  const kinds = Object.keys(maxima);
  const isMinute = minuteCount === undefined ? chance.isLucky(30) : chance.isLucky(50);
  const isRolling = rolling !== undefined && chance.isLucky(60);
  const isShadow = shadow !== undefined && chance.isLucky(60);
  // No payment is counted beside home any more where one was.
  const homes = new Set(orders.flatMap((order) => Object.keys(homeSubjects(order))));
  const counting = kinds.filter((kind) => homes.has(kind) || chance.isLucky(70));
  return {
    ...(isShadow ? { shadow: chance.isLucky(60) ? shadow : shadowBy(chance, scene) } : {}),
    ...(isRolling ? { rolling: chance.isLucky(60) ? rolling : rollingBy(chance, scene) } : {}),
    maxima: Object.fromEntries(counting.map((kind) => [kind, maximumBy(chance, orders.length)])),
    ...(isMinute ? { minuteCount: 1 + chance.below(2) } : {}),
    daily: kinds.filter((kind) => daily.includes(kind) !== chance.isLucky(30)),
  };
}

function withTerms(chance: Chance, scene: Scene): Scene {
  const document = chance.pick(allDocuments(scene));
  const changes = Array.from({ length: 1 + chance.below(3) }, (_, index): SceneCall => ({
    ...{ name: `terms-${index}`, do: 'terms', wish: wishBy(chance, scene) },
    document: chance.isLucky(70) ? document : chance.pick(allDocuments(scene)),
  }));
  return { ...scene, calls: mixed(chance, scene.calls, changes) };
}

function wishBy(chance: Chance, { orders }: Scene): SceneWish {
  const forMs = chance.isLucky(40) ? { forMs: chance.pick([5_000, HOLD_MS / 2, HOLD_MS]) } : {};
  const luck = chance.below(100);
  if (luck < 30) return { kind: 'freeze', ...forMs };
  if (luck < 45) return { kind: 'unfreeze' };
  if (luck < 60) return { kind: 'endOverride' };
  const { amount, count } = maximumBy(chance, orders.length);
  const max = chance.pick([{ amount }, { count }, { amount, count }, { amount: 9 * amount }]);
  const afterMs = chance.isLucky(20) ? { afterMs: 900 } : {};
  return { kind: 'override', max, ...forMs, ...afterMs };
}

/** Rows are written of calls; orders are refunded, and some are named by their id alone. */
function withAudit(chance: Chance, single: Scene): Scene {
  const scene = chance.isLucky(60) ? withTwins(chance, single) : single;
  const ids = new Set(scene.orders.map(({ orderId }) => orderId));
  // An id that two orders have names neither.
  const isNamed = ids.size === scene.orders.length;
  const unnamed = <Settlement extends SceneSettlement>(one: Settlement): Settlement => {
    const hasTwin = twinsOf(scene, one.order).length > 1;
    if (one.by === 'others' || !chance.isLucky(hasTwin ? 50 : 25)) return one;
    // The one that it names may have another amount.
    return { ...one, by: 'recorded', isFinal: one.isFinal === true && !hasTwin };
  };
  const namings = ['subjects', 'reservation', 'home'] as const;
  const calls = scene.calls.map((call): SceneCall => {
    if (call.do === 'settle') return { ...call, ...unnamed(call) };
    if (call.do !== 'settlements') return call;
    return { ...call, settlements: call.settlements.map(unnamed) };
  });
  const order = chance.below(scene.orders.length);
  const refunds = Array.from({ length: 1 + chance.below(4) }, (_, index): SceneCall => ({
    ...{ name: `refund-${index}`, do: 'refund', refundId: `back-${chance.below(3)}` },
    order: chance.isLucky(70) ? order : chance.below(scene.orders.length),
    by: isNamed && chance.isLucky(40) ? 'recorded' : chance.pick(namings),
    ...(chance.isLucky(40) ? {} : { tenths: chance.pick([1, 1, 4, 5, 6, 10]) }),
  }));
  const audit = chance.isLucky(50) ? 'session' : 'best-effort';
  // A call that is one commit begins once; without any document nothing tells it that its clock is wrong.
  const isFarAhead = audit === 'session' && Math.abs(scene.aheadMs) >= SLACK_MS;
  const aheadMs = isFarAhead ? Math.sign(scene.aheadMs) * 1_000 : scene.aheadMs;
  const half = Math.ceil(calls.length / 2);
  const later = mixed(chance, calls.slice(half), refunds);
  return { ...scene, audit, aheadMs, calls: [...calls.slice(0, half), ...later] };
}

/** The first two orders have one id, of two users, where no call names both; one is settled by that id alone. */
function withTwins(chance: Chance, scene: Scene): Scene {
  const [first, second, ...others] = scene.orders;
  const isTogether = (call: SceneCall): boolean =>
    ordersOf(call).includes(0) && ordersOf(call).includes(1);
  if (first?.subjects.user === undefined || second?.subjects.user === undefined) return scene;
  if (scene.calls.some(isTogether)) return scene;
  const user = first.subjects.user === 'u-1' ? 'u-2' : 'u-1';
  const { orderId } = first;
  const twin = { ...second, orderId, subjects: { ...second.subjects, user } };
  const order = chance.below(2);
  const to = chance.isLucky(70) ? 'confirmed' : 'rolledBack';
  const calls: readonly SceneCall[] = [
    ...scene.calls,
    { name: 'twin', do: 'check', order: 1 - order },
    { name: 'unnamed', do: 'settle', order, to, by: 'recorded' },
  ];
  return { ...scene, orders: [first, twin, ...others], calls };
}

/**
 * The second order has the id of the first, and its home is a document in which the first may have a share.
 * It expires and is released before the first is checked, where time allows.
 */
function withTwinBeside(chance: Chance, { scene, waits }: Changing): Changing {
  const [first, second, ...others] = scene.orders;
  const isTogether = (call: SceneCall): boolean =>
    ordersOf(call).includes(0) && ordersOf(call).includes(1);
  if (first === undefined || second === undefined || scene.calls.some(isTogether))
    return { scene, waits };
  const beside = Object.entries(otherSubjects(first));
  if (beside.length === 0) return { scene, waits };
  const subjects = Object.fromEntries([chance.pick(beside)]);
  const twin = { ...second, orderId: first.orderId, subjects };
  const more: readonly SceneCall[] = [
    { name: 'twin-beside', do: 'check', order: 1 },
    { name: 'sweep-twin', do: 'sweep', document: homeOf(twin) },
    { name: 'after-twin', do: 'check', order: 0 },
  ];
  // By the id alone the other one may be settled, which has another amount.
  const asHeld = <Settlement extends SceneSettlement>(one: Settlement): Settlement =>
    one.by === 'recorded' && one.order <= 1 ? { ...one, isFinal: false } : one;
  const before = scene.calls.map((call): SceneCall => {
    if (call.do === 'settle') return { ...call, ...asHeld(call) };
    if (call.do !== 'settlements') return call;
    return { ...call, settlements: call.settlements.map(asHeld) };
  });
  const calls = chance.isLucky(50) ? [...more, ...before] : mixed(chance, before, more);
  return {
    scene: { ...scene, orders: [first, twin, ...others], calls },
    waits: [2 * HOLD_MS, ...waits],
  };
}

/**
 * A document has so many empty counters that a sweep drops them, that of payments among them. Meanwhile a payment
 * may be counted there, and refunded; where amounts are kept, its count is nothing then and its amount is not.
 */
function withEmptied(chance: Chance, scene: Scene): Scene {
  const [first] = scene.orders;
  if (first === undefined) return scene;
  const order = scene.orders.length;
  const refunded = { orderId: 'o-refunded', subjects: homeSubjects(first), capture: true };
  const document = homeOf(first);
  const larger = <Rules extends SceneRuleSet>(rules: Rules): Rules => ({
    ...withRoomFor(order, rules),
    emptied: true,
  });
  const before: readonly SceneCall[] = [
    { name: 'emptied', do: 'check', order: 0 },
    { name: 'empties', do: 'settle', order: 0, to: 'rolledBack', by: 'subjects' },
    { name: 'empty', do: 'empty', document },
  ];
  const more: readonly SceneCall[] = [
    { name: 'sweep-empty', do: 'sweep', document },
    { name: 'counted', do: 'check', order },
    { name: 'given-back', do: 'refund', order, refundId: 'whole', by: 'subjects' },
  ];
  const others = chance.isLucky(50) ? [] : scene.calls;
  return {
    ...larger(scene),
    audit: scene.audit ?? 'best-effort',
    orders: [...scene.orders, refunded],
    ...(scene.laterRules && { laterRules: scene.laterRules.map(larger) }),
    calls: [...before, ...mixed(chance, more, others)],
  };
}

/** Room for all of some orders, or for some of them. */
export function maximumBy(chance: Chance, orders: number): Maximum {
  const all = Array.from({ length: orders }, (_, order) => amountOf(order));
  const some = all.filter(() => chance.isLucky(70));
  const sum = (amounts: readonly number[]): number =>
    amounts.reduce((one, other) => one + other, 0);
  return {
    amount: chance.isLucky(60) ? sum(all) : Math.max(1, sum(some)),
    count: chance.isLucky(50) ? orders : 1 + chance.below(orders),
  };
}
