import { expect, it } from 'vitest';
import { INDEXES } from '../../lib/health/mongo-indexes.ts';
import { mongoProposalStore, PROPOSALS } from '../../lib/four-eyes/mongo-proposal-store.ts';
import { useDatabase } from '../support/database.ts';

/** The fields of a sort or an index, and their directions, in their order. */
const orderOf = (fields: Iterable<readonly [string, unknown]>) => JSON.stringify([...fields]);

const database = useDatabase({ monitorCommands: true });

it('a page of proposals comes from an index in its order, because a server sorts at most 100 MB', async () => {
  const sorts: string[] = [];
  database.client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'find') sorts.push(orderOf(command.sort as Map<string, number>));
  });
  await mongoProposalStore(database.db).list({ limit: 2 }, new Date(), undefined);
  const indexes = INDEXES.filter(({ collection }) => collection === PROPOSALS);
  expect(sorts).toHaveLength(1);
  const orders = indexes.map(({ keys }) => orderOf(Object.entries(keys)));
  expect(orders).toContain(sorts[0]);
});
