import type { Db } from 'mongodb';
import type { ChainBreak } from '../lib/audit/chain.ts';
import { CHAINS, verifyChain } from '../lib/audit/mongo-chain.ts';
import { allIds } from '../lib/audit/mongo-all-ids.ts';
import { printJson, Progress, visible } from './output.ts';
import { numbered } from '../lib/shared/numbered.ts';

/** Says what is wrong with a chain, in one sentence. */
function describe({ kind, sequence, row, other }: ChainBreak): string {
  const place = sequence === undefined ? 'a row in no chain' : `row ${sequence}`;
  const name = row === undefined ? '' : ` (${JSON.stringify(row)})`;
  const rival =
    other === undefined ? '' : `, or the one at the same place (${JSON.stringify(other)})`;
  return `${place}${name} was ${kind}${rival}`;
}

/** Verifies one chain or all of them, prints each that is broken, and says how many are. */
export async function verifyChains(
  db: Db,
  subject: string | undefined,
  isJson: boolean,
): Promise<number> {
  let chains = 0;
  let rows = 0;
  const broken: (ChainBreak & { readonly document: string })[] = [];
  const now = new Date();
  const progress = new Progress();
  for await (const document of subject === undefined ? allIds(db, CHAINS) : [subject]) {
    const verified = await verifyChain(db, document, now);
    if (verified.rows === 0 && verified.broken === undefined) continue;
    chains += 1;
    rows += verified.rows;
    progress.say(`${numbered(chains, 'chain')}, ${numbered(rows, 'row')}`);
    if (verified.broken === undefined) continue;
    progress.clear();
    broken.push({ document, ...verified.broken });
    if (!isJson) console.log(visible(`${document}: ${describe(verified.broken)}`));
  }
  progress.clear();
  if (chains === 0)
    throw new Error(
      `database ${db.databaseName} has no chain${subject === undefined ? '' : ` of ${subject}`}; rows are chained with AUDIT=session only`,
    );
  const of = numbered(chains, 'chain');
  if (isJson) printJson({ chains, rows, broken });
  else
    console.log(
      broken.length === 0
        ? `${rows} rows in ${of}: none altered, added or taken away`
        : `${broken.length} of ${of} broken`,
    );
  return broken.length === 0 ? 0 : 1;
}
