import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CounterStore, Lanes } from '../../lib/document/counter-store.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { someOf } from '../support/extent.ts';
import { PLAIN_OFF, PLAIN_ON } from '../support/lanes.ts';
import { mingoStore } from '../support/mingo-store.ts';
import type { Second, Way } from './play.ts';
import { Player } from './play.ts';
import type { StateName } from './all-states.ts';
import { STATES } from './all-states.ts';
import type { OrderState, Standing } from './states.ts';
import { STANDINGS } from './states.ts';
import type { Cell, OperationName } from './table.ts';
import { OPERATIONS, TABLE } from './table.ts';

const database = useDatabase();

/** Documents that can be put back as they were, so that a state is lived through once. */
type Stage = {
  readonly counters: CounterStore;
  keep(): Promise<void>;
  putBack(): Promise<void>;
};

function databaseStage(db: Db, name: string): Stage {
  const documents = db.collection<CounterDocument>(name);
  let kept: CounterDocument[] = [];
  return {
    counters: patientCounters(documents),
    async keep() {
      // Values stay as the server has them: 64-bit integers stay 64-bit integers.
      kept = await documents.find({}, { promoteValues: false }).toArray();
    },
    async putBack() {
      await documents.deleteMany({});
      if (kept.length > 0) await documents.insertMany(kept);
    },
  };
}

function mingoStage(lanes: Lanes): Stage {
  const store = mingoStore({ lanes });
  let kept: [string, Record<string, unknown>][] = [];
  return {
    counters: store,
    keep() {
      kept = structuredClone([...store.documents]);
      return Promise.resolve();
    },
    putBack() {
      store.documents.clear();
      for (const [id, document] of structuredClone(kept)) store.documents.set(id, document);
      return Promise.resolve();
    },
  };
}

/** What may come in a call of many, and in an atomic one. */
const NOT_IN: Readonly<Record<Way, readonly OperationName[]>> = {
  one: [],
  many: ['look', 'lookOther'],
  atomic: ['look', 'lookOther', 'capture'],
};

function cellsOf(name: StateName) {
  const captures = 'captures' in STATES[name];
  // The table's keys are operations.
  return (Object.entries(TABLE[name]) as [OperationName, Cell][]).flatMap(([operation, cell]) => {
    const isCheck = !/^(confirm|rollback|record)/.test(operation);
    const ways: readonly Way[] = isCheck ? ['one', 'many', 'atomic'] : ['one', 'many'];
    return ways
      .filter((way) => !NOT_IN[way].includes(operation) && !(way === 'atomic' && captures))
      .map((way) => {
        const { answer, frees } = cell;
        const then = cell.then ?? STATES[name].standing;
        const isFree = frees === 'any' || frees === way;
        return { operation, way, answer, then, isFree, what: `${OPERATIONS[operation]} (${way})` };
      });
  });
}

/** @param isFree whether nothing is left in the merchant's document of what calls left there */
function standingIn(
  { documents, left = 0 }: OrderState,
  { merchant, ...standing }: Standing,
  isFree: boolean,
): Standing {
  if (documents === 1) return standing;
  const { used, held } = merchant ?? standing.user;
  return { ...standing, merchant: { used, held: held + (isFree ? 0 : left) } };
}

// The keys of STATES are its names.
const NAMES = Object.keys(STATES) as StateName[];
/** No other user comes to the document of a pair. */
const OF_PAIRS = NAMES.filter((name) => {
  const { documents, past }: OrderState = STATES[name];
  return documents === 2 && !past.includes('merchant');
});

const PLACES: readonly {
  readonly where: string;
  readonly names: readonly StateName[];
  readonly second?: Second;
  readonly stageOf: (name: string) => Stage;
}[] = [
  { where: 'on the database', names: NAMES, stageOf: (name) => databaseStage(database.db, name) },
  { where: 'in mingo, by the plain lane', names: NAMES, stageOf: () => mingoStage(PLAIN_ON) },
  { where: 'in mingo, without it', names: NAMES, stageOf: () => mingoStage(PLAIN_OFF) },
  {
    where: 'of a pair, on the database',
    names: OF_PAIRS,
    second: 'pair',
    stageOf: (name) => databaseStage(database.db, `pair-${name}`),
  },
  {
    where: 'of a pair, in mingo',
    names: OF_PAIRS,
    second: 'pair',
    stageOf: () => mingoStage(PLAIN_ON),
  },
];

describe.each(PLACES.map((place, turn) => ({ ...place, turn })))(
  'every operation in every state, $where',
  ({ turn, names, second, stageOf }) => {
    describe.each(someOf('states', names, turn))('%s', (name) => {
      const state: OrderState = STATES[name];
      let stage: Stage;
      let player: Player;
      beforeAll(async () => {
        stage = stageOf(`states-${NAMES.indexOf(name)}`);
        player = new Player(state, stage.counters, second);
        await player.live();
        await stage.keep();
      });
      afterAll(() => stage.putBack());

      it('is what the table takes it for', async () => {
        await stage.putBack();
        expect(await player.standing()).toEqual(
          standingIn(state, STANDINGS[state.standing], false),
        );
      });

      it.each(someOf('cells', cellsOf(name), turn))(
        '$what: $answer, then $then',
        async ({ operation, way, ...cell }) => {
          await stage.putBack();
          const answer = await player.ask(operation, way);
          const standing = await player.standing();
          expect({ answer, ...standing }).toEqual({
            answer: cell.answer,
            ...standingIn(state, STANDINGS[cell.then], cell.isFree),
          });
        },
      );
    });
  },
);
