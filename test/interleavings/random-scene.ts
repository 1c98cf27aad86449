/** Scenes by chance: few orders and little room, so that they meet. */
import type { Subjects } from '../../lib/shared/request.ts';
import { Chance } from './chance.ts';
import type { Change } from './random-changes.ts';
import { apart, changed, maximumBy } from './random-changes.ts';
import type {
  Ending,
  Naming,
  Scene,
  SceneCall,
  SceneLanes,
  SceneOrder,
  SceneSettlement,
} from './scene.ts';
import { HOLD_MS, documentsOf, homeOf, orderIn, otherSubjects, twinsOf } from './scene.ts';

export type SceneKind = {
  /** Documents of the widest order. */
  readonly documents: 1 | 2 | 3;
  readonly isOneCommit: boolean;
  /** What changes in each; in some by chance when absent. */
  readonly changes?: readonly Change[];
};

const KINDS = ['user', 'merchant', 'card'] as const;

export type RandomScene = {
  readonly scene: Scene;
  readonly waits: readonly number[];
  readonly faults: number;
  /** How often of a hundred times the call goes on that went on before. */
  readonly sticks: number;
  readonly chance: Chance;
  /** Of writes that wait in the database, if there are any: a chance of their own, so that other stories stay as they are. */
  readonly waiting: Chance | undefined;
};

export function randomScene(seed: number, kind: SceneKind): RandomScene {
  const chance = new Chance(seed);
  // Most are small: what they find is easy to read, and they are quick to tell.
  const isSmall = chance.isLucky(60);
  const orders = ordersBy(chance, kind, isSmall);
  const count = 2 + chance.below(isSmall ? 3 : 5);
  const calls = Array.from({ length: count }, (_, index) =>
    callBy(chance, String.fromCharCode(97 + index), index, orders),
  );
  const used = new Set(orders.flatMap(({ subjects }) => Object.keys(subjects)));
  const maxima = Object.fromEntries(
    KINDS.filter((name) => used.has(name)).map((name) => [name, maximumBy(chance, orders.length)]),
  );
  const scene: Scene = {
    orders,
    maxima,
    calls,
    ...(chance.isLucky(20) ? { minuteCount: 1 + chance.below(2) } : {}),
    onUndecided: chance.isLucky(25) ? 'allow' : 'refuse',
    isOneCommit: kind.isOneCommit,
    lanes: lanesBy(chance),
    ...(chance.isLucky(35) ? { outcomesMax: 1 + chance.below(3) } : {}),
    aheadMs: chance.isLucky(60) ? 0 : chance.pick(AHEAD),
    serversAheadMs: serversAheadBy(chance, used),
    ending: endingBy(chance, orders.length),
  };
  const waits = Array.from({ length: chance.pick([0, 0, 1, 1, 2, 3]) }, () => chance.pick(WAITS));
  const faults = chance.pick(isSmall ? [0, 0, 1, 1, 2] : [0, 1, 2, 3]);
  const sticks = chance.pick([0, 50, 80, 95]);
  const asked = kind.changes ?? [];
  const told = apart(new Chance(~seed), changed(chance, { scene, waits }, asked), asked);
  const waiting = asked.includes('waits') ? new Chance(seed ^ 0x55_55_55) : undefined;
  const meant = { ...told.scene, calls: meantIn(told.scene) };
  return { ...told, scene: meant, faults, sticks, chance, waiting };
}

/** A call that names all subjects but home's means the order beside them, and none whose home one of them is. */
function meantIn(scene: Scene): readonly SceneCall[] {
  const meant = <Settlement extends SceneSettlement>(one: Settlement): Settlement => {
    if (one.by !== 'others') return one;
    const subjects = otherSubjects(orderIn(scene, one.order));
    const isNobody = Object.keys(subjects).length === 0;
    const homes = twinsOf(scene, one.order).map((each) => homeOf(orderIn(scene, each)));
    const isMeant = isNobody || homes.includes(homeOf({ subjects }));
    return isMeant ? { ...one, by: 'subjects' } : one;
  };
  return scene.calls.map((call): SceneCall => {
    if (call.do === 'settle') return meant(call);
    if (call.do !== 'settlements') return call;
    return { ...call, settlements: call.settlements.map(meant) };
  });
}

/** Within the slack mostly, a moment before and after it, and beyond. */
const AHEAD = [...[300, -300, 800, -800, 999, -1_000], ...[1_500, -1_500, 5_000, -5_000]];

function lanesBy(chance: Chance): SceneLanes {
  const luck = chance.below(100);
  if (luck < 40) return 'learning';
  if (luck < 60) return 'plain';
  return luck < 75 ? 'general' : chance.below(2 ** 30);
}

/** Where documents are spread over servers: their clocks differ by less than the slack. */
function serversAheadBy(chance: Chance, kinds: ReadonlySet<string>): Scene['serversAheadMs'] {
  if (chance.isLucky(75)) return {};
  return Object.fromEntries(
    KINDS.filter((kind) => kinds.has(kind)).map((kind) => [kind, chance.pick([0, 0, 400, 999])]),
  );
}

/** Short, to a moment before and after a hold's time, and beyond what others outlive it by. */
const WAITS = [
  ...[1, 900, 1_100, 2_100, 4_000, HOLD_MS / 2, HOLD_MS - 1, HOLD_MS, HOLD_MS, HOLD_MS + 1],
  ...[HOLD_MS + 2_000, 2 * HOLD_MS],
];

function ordersBy(
  chance: Chance,
  { documents }: SceneKind,
  isSmall: boolean,
): readonly SceneOrder[] {
  const count = isSmall ? 1 + chance.below(2) : 1 + chance.below(4);
  const users = chance.isLucky(70) ? ['u-1'] : ['u-1', 'u-2'];
  const orders = Array.from({ length: count }, (_, index) => ({
    orderId: `o-${index + 1}`,
    subjects: subjectsBy(chance, documents, users),
    capture: chance.isLucky(12),
  }));
  // One id at two homes is two orders.
  const [first, second] = orders;
  const areWide = [first, second].every((one) => 'user' in (one?.subjects ?? {}));
  if (first && second && areWide && chance.isLucky(20) && homeOf(first) !== homeOf(second))
    second.orderId = first.orderId;
  return orders;
}

/** Most orders are as wide as they may be; a few are somebody else's home alone. */
function subjectsBy(chance: Chance, documents: number, users: readonly string[]): Subjects {
  const all = { user: chance.pick(users), merchant: 'm-1', card: 'c-1' };
  const wide = Object.fromEntries(KINDS.slice(0, documents).map((kind) => [kind, all[kind]]));
  if (documents === 1 || chance.isLucky(80)) return wide;
  const kind = chance.pick(KINDS.slice(0, documents));
  return { [kind]: all[kind] };
}

function callBy(
  chance: Chance,
  name: string,
  index: number,
  orders: readonly SceneOrder[],
): SceneCall {
  const order = chance.below(orders.length);
  const luck = chance.below(100);
  if (chance.isLucky(9)) return { name, do: 'record', orders: someOf(chance, order, orders) };
  if (index > 0 && luck < 4) return { name, do: 'dryRun', order };
  if (index === 0 || luck < 38) return { name, do: 'check', order };
  if (luck < 75) return { name, do: 'settle', ...settlementBy(chance, order) };
  if (luck < 83) return { name, do: 'sweep', document: chance.pick(orders.flatMap(documentsOf)) };
  const some = someOf(chance, order, orders);
  if (luck < 92) {
    const isAtomic = chance.isLucky(40) && some.every((each) => orders[each]?.capture !== true);
    return { name, do: 'checks', orders: some, atomic: isAtomic };
  }
  return {
    name,
    do: 'settlements',
    settlements: some.map((each) => settlementBy(chance, each)),
  };
}

/** An order and perhaps others of other ids, in the order of the scene. */
function someOf(chance: Chance, order: number, orders: readonly SceneOrder[]): readonly number[] {
  const ids = new Set([orders[order]?.orderId]);
  return [...orders.entries()].flatMap(([each, { orderId }]) => {
    const isToo = each === order || (!ids.has(orderId) && chance.isLucky(60));
    if (isToo) ids.add(orderId);
    return isToo ? [each] : [];
  });
}

const NAMINGS: readonly Naming[] = [
  ...(['reservation', 'reservation', 'reservation', 'first'] as const),
  ...(['subjects', 'subjects', 'subjects', 'home', 'others'] as const),
];

function settlementBy(chance: Chance, order: number): SceneSettlement {
  const by = chance.pick(NAMINGS);
  if (chance.isLucky(30)) return { order, to: 'rolledBack', by };
  const isFinal = chance.isLucky(15);
  return { order, to: 'confirmed', by, ...(isFinal ? { isFinal } : {}) };
}

function endingBy(chance: Chance, orders: number): Ending {
  return {
    isLate: chance.isLucky(30),
    confirms: Array.from({ length: orders }, (_, order) => order).filter(() => chance.isLucky(50)),
    arrives: chance.isLucky(50),
  };
}
