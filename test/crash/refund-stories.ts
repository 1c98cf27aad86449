import type { Db } from 'mongodb';
import { AUDIT, REFUNDS } from '../../lib/audit/mongo-audit-store.ts';
import { CHAINS } from '../../lib/audit/mongo-chain.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { auditOver } from '../support/audit-fixture.ts';
import type { ChosenLanes } from '../support/lanes.ts';
import { lanesFor } from '../support/lanes.ts';
import type { Story } from './story.ts';
import type { Tally } from './teller.ts';
import { Teller } from './teller.ts';

/** How rows are kept in stories with refunds. */
export const REFUND_MODES = ['session', 'best-effort'] as const;

/** Tells a story with refunds on the database, where there is nothing of another one. */
export async function tellRefunds(
  db: Db,
  mode: (typeof REFUND_MODES)[number],
  story: Story,
  chosen: ChosenLanes,
  tally?: Tally,
): Promise<void> {
  for (const name of [COUNTERS, AUDIT, CHAINS, REFUNDS]) await db.collection(name).deleteMany({});
  const lanes = lanesFor(chosen);
  const counters = patientCounters(db, { lanes });
  await new Teller(story, { counters, audit: auditOver(db, mode, { lanes }) }, tally).tell();
}
