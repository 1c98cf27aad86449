import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import type { ChainBreak } from '../lib/domain/chain.ts';
import { chainedDocuments, verifyChain } from '../lib/store/verify-chain.ts';
import { numbered, runDatabaseCommand } from './database-command.ts';

const USAGE = `npm run verify [-- --subject user:u-1]

Looks whether an audit row of AUDIT=session was altered, added or taken away, in the chain of one
subject's document or in every chain, and names the first row of each that is broken.
Ends with 0 where all are whole, 1 where one is broken, 2 where it could not be verified.`;

/** Says what is wrong with a chain, in one sentence. */
function describe({ kind, sequence, row, other }: ChainBreak): string {
  const place = sequence === undefined ? 'a row in no chain' : `row ${sequence}`;
  const name = row === undefined ? '' : ` (${JSON.stringify(row)})`;
  const rival =
    other === undefined ? '' : `, or the one at the same place (${JSON.stringify(other)})`;
  return `${place}${name} was ${kind}${rival}`;
}

/** Verifies one chain or all of them, prints each that is broken, and says how many are. */
async function verify(db: Db, subject: string | undefined): Promise<number> {
  let chains = 0;
  let rows = 0;
  let broken = 0;
  const now = new Date();
  for await (const document of subject === undefined ? chainedDocuments(db) : [subject]) {
    const verified = await verifyChain(db, document, now);
    if (verified.rows === 0 && verified.broken === undefined) continue;
    chains += 1;
    rows += verified.rows;
    if (verified.broken === undefined) continue;
    broken += 1;
    console.log(`${document}: ${describe(verified.broken)}`);
  }
  if (chains === 0)
    throw new Error(
      `database ${db.databaseName} has no chain${subject === undefined ? '' : ` of ${subject}`}; rows are chained with AUDIT=session only`,
    );
  const of = numbered(chains, 'chain');
  console.log(
    broken === 0
      ? `${rows} rows in ${of}: none altered, added or taken away`
      : `${broken} of ${of} broken`,
  );
  return broken === 0 ? 0 : 1;
}

await runDatabaseCommand({
  usage: USAGE,
  notDone: 'Not verified',
  read(parameters) {
    const { subject } = parseArgs({
      args: [...parameters],
      options: { subject: { type: 'string' } },
    }).values;
    return (db) => verify(db, subject);
  },
});
