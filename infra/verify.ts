import { parseArgs } from 'node:util';
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import type { ChainBreak } from '../lib/domain/chain.ts';
import { chainedDocuments, verifyChain } from '../lib/store/verify-chain.ts';

/** Reaching a cluster for the first time takes a second or two; longer is a wrong address. */
const TIMEOUT_MS = 5_000;

const USAGE = 'npm run verify, or npm run verify -- --subject user:u-1';

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
    chains += 1;
    rows += verified.rows;
    if (verified.broken === undefined) continue;
    broken += 1;
    console.log(`${document}: ${describe(verified.broken)}`);
  }
  console.log(
    broken === 0
      ? `${rows} rows in ${chains} ${chains === 1 ? 'chain' : 'chains'}: none altered, added or taken away`
      : `${broken} of ${chains} ${chains === 1 ? 'chain' : 'chains'} broken`,
  );
  return broken;
}

function readSubject(): string | undefined {
  try {
    return parseArgs({ options: { subject: { type: 'string' } } }).values.subject;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : 'unknown'} Usage: ${USAGE}`);
    process.exit(2);
  }
}

const uri = process.env.MONGODB_URI;
const subject = readSubject();
if (uri === undefined || uri === '') {
  console.error('MONGODB_URI is not set; it names the database whose audit is to be verified.');
  process.exit(2);
}
try {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: TIMEOUT_MS });
  try {
    const broken = await verify(client.db(process.env.MONGODB_DATABASE ?? 'headroom'), subject);
    process.exitCode = broken === 0 ? 0 : 1;
  } finally {
    await client.close();
  }
} catch (error) {
  console.error(`Not verified: ${error instanceof Error ? error.message : 'unknown'}`);
  process.exitCode = 2;
}
