/** Rules of different cards, by chance: each order of a scene has one. */
import type { Chance } from './chance.ts';
import { mixed } from './random-levels.ts';
import type { Scene, SceneCall, SceneRuleSet } from './scene.ts';

const CARDS = ['a', 'b', 'c'];

/** Orders share cards, and there is room for one or two. Some leave a card that no order has any more. */
export function withCards(chance: Chance, scene: Scene): Scene {
  const withMost = <Rules extends SceneRuleSet>(rules: Rules): Rules => ({
    ...rules,
    cards: chance.pick([1, 2, 2]),
  });
  const { laterRules, orders, calls } = scene;
  const isOften = chance.isLucky(80);
  const later = laterRules?.map((set) => (isOften || chance.isLucky(50) ? withMost(set) : set));
  const order = chance.below(orders.length);
  const more: readonly SceneCall[] = [
    { name: 'with-a-card', do: 'check', order },
    { name: 'card-given-back', do: 'settle', order, to: 'rolledBack', by: 'subjects' },
  ];
  const luck = chance.below(100);
  return {
    ...withMost(scene),
    ...(later && { laterRules: later }),
    orders: orders.map((one) => ({ ...one, card: chance.pick(CARDS) })),
    calls: luck < 40 ? calls : luck < 70 ? [...more, ...calls] : mixed(chance, more, calls),
  };
}
