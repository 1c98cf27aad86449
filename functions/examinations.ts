import type { Db } from 'mongodb';
import type { Examination, Finding, Health } from '../contract/finding.ts';
import { examine, silenceOf } from '../lib/health/mongo-examine.ts';
import type { Depth } from '../lib/health/mongo-data-health.ts';
import { dataExaminations } from '../lib/health/mongo-data-health.ts';
import { serverExaminations } from '../lib/health/mongo-server-health.ts';
import type { Settings } from '../lib/edge/settings.ts';
import { rulesFinding } from '../lib/rule-book/rules-finding.ts';
import { mongoRuleStore } from '../lib/rule-book/mongo-rule-store.ts';
import type { Service } from './service.ts';
import { VERSION } from './version.ts';

/** Everything that `headroom doctor` and `GET /v1/health` look at, in the order in which they tell it. */
export function examinationsOf(
  db: Db,
  settings: Pick<Settings, 'onNoRule' | 'mongodbTls'>,
  depth: Depth,
): readonly Examination[] {
  const rules = mongoRuleStore(db, depth.patienceMs);
  return [
    ...serverExaminations(db, settings.mongodbTls === 'required'),
    ...dataExaminations(db, depth),
    {
      name: 'rules',
      look: async () => rulesFinding(await rules.read(), settings, new Date()),
    },
  ];
}

/** A caller waits: of many documents a few are measured. */
const MEASURED_MAX = 1_000;

/**
 * Looks at everything, one thing after the other, because findings contain times. If the database
 * does not answer at all, one finding says so.
 */
export function healthOf({
  db,
  settings,
}: Pick<Service, 'db' | 'settings'>): () => Promise<Health> {
  const patienceMs = settings.storeTimeoutMs;
  const examinations = examinationsOf(db, settings, { measuredMax: MEASURED_MAX, patienceMs });
  return async () => {
    const silence = await silenceOf(db, patienceMs);
    if (silence !== undefined) return { version: VERSION, findings: [silence] };
    const findings: Finding[] = [];
    for (const examination of examinations) findings.push(await examine(examination));
    return { version: VERSION, findings };
  };
}
