import { expect, it } from 'vitest';
import type { Update } from '../../lib/limits/document/update.ts';
import type { CounterStore, HoldAsk, HoldOrder } from '../../lib/limits/counter-store.ts';
import { PLAIN_OFF, PLAIN_ON } from '../support/lanes.ts';
import type { Documents } from '../support/mingo-store.ts';
import { countersWithoutCommits, mingoStatements } from '../support/mingo-store.ts';
import {
  BESIDE,
  DAY_COUNTER,
  ESTIMATE,
  HOME,
  ORDER,
  UNTIL,
  holdAsk,
} from '../support/statement-asks.ts';

/** An order of two subjects, at home, where one payment fits at a time. */
const AT_HOME = { ...ORDER, until: UNTIL, others: [BESIDE] };
/** Others of the same home. */
const SECOND_THERE = { ...AT_HOME, id: 'shop:o-2', nonce: 'nonce-2' };
const CROWD = { ...ORDER, id: 'shop:crowd', nonce: 'nonce-crowd' };
const counting = (maxCount: number) => [{ ...DAY_COUNTER, maxCount }];
const EARLIER = new Date(ESTIMATE.getTime() - 3_600_000);

type World = { readonly documents: Documents; readonly counters: CounterStore };

/** @param copied is told of each update before it is carried out */
function storeOver(
  documents: Documents,
  lanes: typeof PLAIN_ON,
  copied: (update: Update) => Promise<unknown> = () => Promise.resolve(),
): CounterStore {
  const statements = mingoStatements(documents, () => ESTIMATE);
  const update = async (one: Update) => {
    await copied(one);
    return statements.update(one);
  };
  return countersWithoutCommits({ ...statements, update }, { lanes });
}

const hold = ({ counters }: World, order: HoldOrder, maxCount: number, at = ESTIMATE) =>
  counters.hold(HOME, { ...holdAsk([order], counting(maxCount)), estimate: at }, at);

const rollBack = ({ counters }: World, { id }: HoldOrder, at = ESTIMATE) =>
  counters.settle(HOME, [{ id, to: 'rolledBack' }], at, at);

/** Home has no room while the second copy is answered. */
const fill =
  (maxCount = 1) =>
  (world: World) =>
    hold(world, CROWD, maxCount);

const ROWS: readonly {
  readonly why: string;
  readonly before: (world: World) => Promise<unknown>;
  readonly meanwhile: (world: World) => unknown;
  readonly orders?: HoldAsk['orders'];
  readonly maxCount?: number;
  readonly lanes?: typeof PLAIN_ON;
}[] = [
  {
    why: 'of a new order',
    before: (world) => hold(world, CROWD, 1, EARLIER),
    meanwhile: (world) => hold(world, { ...CROWD, id: 'shop:again', nonce: 'nonce-again' }, 1),
  },
  {
    why: 'of an order that is checked again after its hold expired',
    before: async (world) => {
      await hold(world, { ...ORDER, nonce: 'nonce-0' }, 1, EARLIER);
      await hold(world, SECOND_THERE, 1);
      await rollBack(world, SECOND_THERE);
    },
    meanwhile: fill(),
    lanes: PLAIN_OFF,
  },
  {
    why: 'beside an order of the same call that home knows',
    before: async (world) => {
      await hold(world, { ...SECOND_THERE, nonce: 'nonce-before' }, 1);
      await rollBack(world, SECOND_THERE);
    },
    meanwhile: fill(),
    orders: [AT_HOME, SECOND_THERE],
    lanes: PLAIN_OFF,
  },
  {
    why: 'where a share of another home has the same id',
    before: (world) => hold(world, { ...ORDER, nonce: 'nonce-share', home: BESIDE }, 2),
    meanwhile: fill(2),
    maxCount: 2,
    lanes: PLAIN_OFF,
  },
  {
    why: 'at a home that was deleted after it was read',
    before: (world) => hold(world, CROWD, 1, EARLIER),
    meanwhile: ({ documents }) => documents.delete(HOME),
  },
];

it.each(ROWS)(
  'a late copy of an add that matched nothing at home of an order over several documents holds nothing, $why',
  async (row) => {
    const { before, meanwhile, orders = [AT_HOME], maxCount = 1, lanes = PLAIN_ON } = row;
    const documents: Documents = new Map();
    const world = { documents, counters: storeOver(documents, PLAIN_OFF) };
    await before(world);
    const copies: Update[] = [];
    const counters = storeOver(documents, lanes, async (update) => {
      const pushed = update.update.$push ?? {};
      if (copies.length > 0 || !('holds' in pushed)) return;
      copies.push(update);
      await meanwhile(world);
    });
    const { held } = await counters.hold(
      HOME,
      {
        ...holdAsk(orders, counting(maxCount)),
        rememberedBefore: Number(documents.get(HOME)?.remembered ?? 0),
        closingsBefore: 0,
      },
      ESTIMATE,
    );
    expect(held.size).toBe(0);
    await rollBack(world, CROWD);
    await rollBack(world, { ...CROWD, id: 'shop:again' });
    const [copy] = copies;
    if (copy === undefined) throw new Error('nothing was added');
    expect(await mingoStatements(documents, () => ESTIMATE).update(copy)).toBeUndefined();
    // It is the nonce that keeps it out.
    const open = { ...copy, filter: { ...copy.filter, closed: null } };
    expect(documents.get(HOME)?.closed).toEqual([AT_HOME.nonce]);
    documents.set(HOME, { ...documents.get(HOME), closed: null });
    expect(await mingoStatements(documents, () => ESTIMATE).update(open)).toBeDefined();
  },
);

/** A merchant's share of an order whose home is a user. */
const SHARE: HoldOrder = { ...ORDER, until: UNTIL, home: HOME };
const LAPSED: HoldOrder = { ...SHARE, id: 'shop:earlier', nonce: 'nonce-earlier' };

it('a share that makes its document again, since TTL took it between two reads, has the nonce that home tells', async () => {
  const documents: Documents = new Map();
  const statements = mingoStatements(documents, () => ESTIMATE);
  let isDeleting = false;
  const counters = countersWithoutCommits({
    ...statements,
    async update(update) {
      const found = await statements.update(update);
      if (isDeleting) documents.delete(BESIDE);
      return found;
    },
  });
  const ask = (order: HoldOrder) => holdAsk([order], [DAY_COUNTER]);
  const lapsed = { ...LAPSED, until: new Date(EARLIER.getTime() + 1_000) };
  await counters.hold(BESIDE, { ...ask(lapsed), estimate: EARLIER }, EARLIER);
  isDeleting = true; // after what lapsed is taken
  const { held } = await counters.hold(BESIDE, ask(SHARE), ESTIMATE);
  expect([...held]).toEqual([[SHARE.id, SHARE.nonce]]);
  expect(documents.get(BESIDE)).toMatchObject({ holds: [{ nonce: SHARE.nonce }] });
});
