import type { Db } from 'mongodb';
import type { HealthAnswer } from '../../packages/client/src/index.ts';
import type { Settings } from '../../lib/edge/settings.ts';
import { examinationsOf } from '../../functions/examinations.ts';
import type { Finding, Level } from '../../contract/finding.ts';
import { healthJson } from '../../lib/health/health-call.ts';
import { examine } from '../../lib/health/mongo-examine.ts';
import { VERSION } from '../../functions/version.ts';
import { calling } from '../calls.ts';
import { printJson, visible } from '../output.ts';
import { probeExamination } from './probe.ts';

/** A command may take its time. */
const DEPTH = { measuredMax: 100_000, patienceMs: 20_000 };

/** How the program ends, by the worst that was found. */
const CODES: Readonly<Record<Level, number>> = { ok: 0, unknown: 0, warning: 1, fault: 2 };

const MARKS: Readonly<Record<Level, string>> = {
  ok: 'ok',
  unknown: '?',
  warning: 'WARNING',
  fault: 'FAULT',
};

/** Looks at everything, prints a line for each thing as it is found, and says how bad the worst is. */
export async function examineAll(db: Db, settings: Settings, isJson: boolean): Promise<number> {
  const findings: Finding[] = [];
  const examinations = [...examinationsOf(db, settings, DEPTH), probeExamination(db, settings)];
  for (const examination of examinations) {
    const finding = await examine(examination);
    findings.push(finding);
    if (!isJson) console.log(lineOf(finding));
  }
  const found = healthJson({ version: VERSION, findings });
  if (isJson) printJson(found);
  return CODES[found.worst];
}

/** Asks a deployment what it finds, by `GET /v1/health`, which has no probe. */
export async function askHealth(url: string, isJson: boolean): Promise<number> {
  const found: HealthAnswer = await calling('Not examined', { url }, (client) => client.health());
  if (isJson) printJson(found);
  else console.log([...found.findings.map(lineOf), `Headroom ${found.version}`].join('\n'));
  return CODES[found.worst];
}

function lineOf({ name, level, says, todo }: Finding): string {
  const line = `${MARKS[level].padEnd(9)}${name.padEnd(15)}${says}`;
  return visible(todo === undefined ? line : `${line}. Do: ${todo}.`);
}
