/** An order that takes what fits, by chance, in rules that often leave the least of it. */
import type { Chance } from './chance.ts';
import { mixed } from './random-levels.ts';
import type { Maximum, Scene, SceneCall, SceneRuleSet } from './scene.ts';
import { amountOf } from './scene.ts';

/** What the first order leaves of a maximum is in the digits of others: it gets all, or the least, or nothing. */
export function withPartial(chance: Chance, scene: Scene): Scene {
  const { laterRules } = scene;
  const [first, ...others] = scene.orders;
  if (first === undefined) return scene;
  const leaving = <Rules extends SceneRuleSet>(rules: Rules): Rules => ({
    ...rules,
    maxima: Object.fromEntries(
      Object.entries(rules.maxima).map(([kind, max]) => [kind, leastOf(chance, scene, max)]),
    ),
  });
  const more: readonly SceneCall[] = [
    ...scene.orders.map((_, order): SceneCall => ({ name: `part-${order}`, do: 'check', order })),
    { name: 'part-again', do: 'check', order: 0 },
  ];
  const calls = chance.isLucky(40) ? scene.calls : mixed(chance, scene.calls, more);
  return {
    ...leaving(scene),
    ...(laterRules && { laterRules: laterRules.map(leaving) }),
    orders: [{ ...first, isPartial: true }, ...others],
    calls: calls.map(withinDigits),
  };
}

/** Room for some of the others, and for the least of the first. */
function leastOf(chance: Chance, { orders }: Scene, max: Maximum): Maximum {
  if (chance.isLucky(25)) return max;
  const some = [...orders.keys()].filter((order) => order > 0 && chance.isLucky(60));
  return { ...max, amount: some.reduce((sum, order) => sum + amountOf(order), amountOf(0)) };
}

/** A subject's own maximum leaves all of the first order, too, or the least, or nothing. */
function withinDigits(call: SceneCall): SceneCall {
  if (call.do !== 'terms' || call.wish.kind !== 'override') return call;
  const { amount, ...max } = call.wish.max;
  if (amount === undefined) return call;
  const least = amount - (amount % 100) + Math.min(1, amount % 100);
  return { ...call, wish: { ...call.wish, max: { ...max, amount: least } } };
}
