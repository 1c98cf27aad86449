import { expect, it } from 'vitest';
import { Gate } from '../../../infra/local/gate.ts';

it('lets two through at once, and the others in the order in which they came', async () => {
  const gate = new Gate(2);
  const inside: string[] = [];
  const enter = async (name: string) => {
    await gate.enter();
    inside.push(name);
  };
  const all = ['a', 'b', 'c', 'd'].map(enter);
  await Promise.all(all.slice(0, 2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(inside).toEqual(['a', 'b']);
  gate.leave();
  await all[2];
  expect(inside).toEqual(['a', 'b', 'c']);
  gate.leave();
  await all[3];
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
  gate.leave();
  gate.leave();
  await Promise.all([gate.enter(), gate.enter()]);
});
