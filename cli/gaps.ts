import type { Db } from 'mongodb';
import type { Gap } from '../lib/audit/mongo-gaps.ts';
import { findGaps } from '../lib/audit/mongo-gaps.ts';
import { numbered } from '../lib/shared/numbered.ts';
import { printJson, visible } from './output.ts';

/** Prints each document of which rows are missing. */
export async function printGaps(db: Db, subject: string | undefined, isJson: boolean) {
  const gaps: Gap[] = [];
  for await (const gap of findGaps(db, subject)) {
    gaps.push(gap);
    const { document, first, last, missing } = gap;
    const rows = numbered(missing, 'row');
    if (!isJson)
      console.log(visible(`${document}: of its writes ${first} to ${last}, ${rows} missing`));
  }
  if (isJson) printJson({ gaps });
  else if (gaps.length === 0) console.log('No numbered write of a home lacks its row');
  return gaps.length === 0 ? 0 : 1;
}
