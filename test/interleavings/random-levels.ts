/** Rules that something lowers, by chance: some of a scene's orders are payouts. */
import type { Chance } from './chance.ts';
import type { Scene, SceneCall, SceneOrder, SceneRuleSet } from './scene.ts';
import { amountOf } from './scene.ts';

/** Payments raise a sum, and payouts lower it; a payout is settled, and a payment checked before and after it. */
export function withLevels(chance: Chance, scene: Scene): Scene {
  const known = scene.orders.map((order): SceneOrder =>
    chance.isLucky(45) ? { ...order, isPayout: true } : order,
  );
  const isMixed = new Set(known.map(({ isPayout }) => isPayout)).size > 1;
  const isAdded = !isMixed || chance.isLucky(40);
  const whole = !isAdded ? { ...scene, orders: known } : withPayout(chance, scene);
  const { orders, laterRules } = whole;
  const places = [...orders.keys()];
  const payout = chance.pick(places.filter((order) => orders[order]?.isPayout === true));
  const payment = chance.pick(places.filter((order) => orders[order]?.isPayout !== true));
  const to = chance.isLucky(80) ? 'confirmed' : 'rolledBack';
  const more: readonly SceneCall[] = [
    { name: 'payout', do: 'check', order: payout },
    { name: 'paid-in-early', do: 'check', order: payment },
    { name: 'paid-out', do: 'settle', order: payout, to, by: 'subjects' },
    { name: 'paid-in', do: 'check', order: payment },
  ];
  // Often so that one payment, or the last of them, has room once a payout is confirmed, and not before.
  const most = (): number => {
    const luck = chance.below(100);
    const all = sumOf(places.filter((order) => orders[order]?.isPayout !== true));
    if (luck < 35) return Math.max(0, amountOf(payment) - amountOf(payout));
    if (luck < 70) return Math.max(1, all - amountOf(payment));
    return levelBy(chance, orders);
  };
  const isWide = chance.isLucky(65);
  const widened = <Rules extends SceneRuleSet>(rules: Rules): Rules =>
    isWide ? places.reduce((wider, order) => withRoomFor(order, wider), rules) : rules;
  const withLevel = <Rules extends SceneRuleSet>(rules: Rules): Rules =>
    chance.isLucky(85) ? { ...widened(rules), level: most() } : rules;
  return {
    ...{ ...widened(whole), level: most() },
    ...(laterRules && { laterRules: laterRules.map(withLevel) }),
    calls: levelCalls(chance, whole.calls, more),
  };
}

function levelCalls(
  chance: Chance,
  calls: readonly SceneCall[],
  more: readonly SceneCall[],
): readonly SceneCall[] {
  const luck = chance.below(100);
  if (luck < 30) return calls;
  return luck < 65 ? [...more, ...calls] : mixed(chance, more, calls);
}

/** All orders are payments, and one more is a payout. */
function withPayout(chance: Chance, scene: Scene): Scene {
  const { orders, laterRules } = scene;
  const [first] = orders;
  if (first === undefined) return scene;
  const order = orders.length;
  const payout: SceneOrder = {
    orderId: 'o-payout',
    subjects: first.subjects,
    capture: chance.isLucky(30),
    isPayout: true,
  };
  return {
    ...withRoomFor(order, scene),
    orders: [...orders, payout],
    ...(laterRules && { laterRules: laterRules.map((set) => withRoomFor(order, set)) }),
  };
}

/** Room for some of the payments, or only beside some of the payouts. */
function levelBy(chance: Chance, orders: readonly SceneOrder[]): number {
  const someOf = (isPayout: boolean): number =>
    sumOf(
      [...orders.keys()].filter(
        (order) => (orders[order]?.isPayout === true) === isPayout && chance.isLucky(70),
      ),
    );
  const raised = someOf(false);
  return chance.isLucky(40) ? raised : Math.max(0, raised - someOf(true));
}

function sumOf(orders: readonly number[]): number {
  return orders.reduce((sum, order) => sum + amountOf(order), 0);
}

/** Rules whose maxima have room for an order more. */
export function withRoomFor<Rules extends SceneRuleSet>(order: number, rules: Rules): Rules {
  const maxima = Object.entries(rules.maxima).map(
    ([kind, { amount, count }]) =>
      [kind, { amount: amount + amountOf(order), count: count + 1 }] as const,
  );
  return { ...rules, maxima: Object.fromEntries(maxima) };
}

/** The calls in their order, with others in between. */
export function mixed(
  chance: Chance,
  calls: readonly SceneCall[],
  others: readonly SceneCall[],
): readonly SceneCall[] {
  return others.reduce<readonly SceneCall[]>(
    (all, other) => all.toSpliced(chance.below(all.length + 1), 0, other),
    calls,
  );
}
