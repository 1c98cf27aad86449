import type { Collection, Db, Document } from 'mongodb';
import { createLimits } from '../lib/edge/limits.ts';
import type { CounterDocument } from '../lib/document/mongo-counter-store.ts';
import { COUNTERS } from '../lib/document/mongo-counter-store.ts';
import { mongoCounters } from '../lib/document/mongo-commit.ts';
import type { Contender } from './measure.ts';
import { spread } from './measure.ts';
import type { Placement } from './placement.ts';
import { UNTIMED_CALLERS, sliceBound, subjectsOf } from './placement.ts';
import type { Held } from './workload.ts';
import { FIVE_RULES, checkOf, hold, limitsOver, orderOf } from './workload.ts';

type Arguments = Parameters<Collection<CounterDocument>['findOneAndUpdate']>;

/**
 * The statement of a check, sent by the driver alone: what a check costs without the code that writes its
 * statement and reads its answer. Statements are written before they are timed, and what they hold is rolled
 * back afterwards. A check meets the same documents.
 */
export function checkStatement(db: Db, placement: Placement): Promise<Omit<Contender, 'name'>> {
  const counters = db.collection<CounterDocument>(COUNTERS);
  let written: Arguments | undefined;
  const writing = createLimits({
    counters: mongoCounters(writingTo(counters, (statement) => (written = statement))),
    rules: () => Promise.resolve(FIVE_RULES),
    openHoldsMax: 2_000,
  });
  const { rollback } = limitsOver(db, FIVE_RULES);
  const subject = subjectsOf(placement);
  const waiting: { readonly statement: Arguments; readonly held: Held }[] = [];
  const holding: Held[] = [];
  let prepared = 0;
  return Promise.resolve({
    ...sliceBound(placement.name),
    prepare: async (count) => {
      waiting.length = 0;
      for (let number = 0; number < count; number++) {
        const held = await hold(
          writing,
          checkOf(`statement-${placement.name}-${prepared++}`, { user: subject() }),
        );
        if (written !== undefined) waiting.push({ statement: written, held });
      }
    },
    run: async () => {
      const one = waiting.shift();
      if (one === undefined) throw new RangeError('a slice sends what was written for it');
      const found = await counters.findOneAndUpdate(...one.statement);
      // One that waits for two seconds is late: it was written for another instant of the server's clock.
      if (found !== null) holding.push(one.held);
    },
    tidy: () =>
      spread(holding.splice(0), UNTIMED_CALLERS, async (held) => {
        await rollback(orderOf(held));
      }),
  });
}

/** A collection that tells updates in place of sending them. Each is answered as if it had matched. */
function writingTo(
  counters: Collection<CounterDocument>,
  tell: (statement: Arguments) => void,
): Collection<CounterDocument> {
  const findOneAndUpdate = (...statement: Arguments): Promise<Document> => {
    tell(statement);
    return Promise.resolve({});
  };
  return new Proxy(counters, {
    get: (target, name, receiver): unknown =>
      name === 'findOneAndUpdate' ? findOneAndUpdate : Reflect.get(target, name, receiver),
  });
}
