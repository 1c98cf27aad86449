import type { Db } from 'mongodb';
import type { Settings } from '../../lib/http/settings.ts';
import { printJson, visible } from '../cli/output.ts';
import { dataExaminations } from './data.ts';
import type { Finding, Level } from './finding.ts';
import { examine, worstOf } from './finding.ts';
import { probeExamination } from './probe.ts';
import { serverExaminations } from './server.ts';

/** How the program ends, by the worst that was found. */
const CODES: Readonly<Record<Level, number>> = { ok: 0, 'not told': 0, warning: 1, fault: 2 };

const MARKS: Readonly<Record<Level, string>> = {
  ok: 'ok',
  'not told': '?',
  warning: 'WARNING',
  fault: 'FAULT',
};

/** Looks at everything, prints a line for each thing as it is found, and says how bad the worst is. */
export async function examineAll(db: Db, settings: Settings, isJson: boolean): Promise<number> {
  const findings: Finding[] = [];
  const examinations = [
    ...serverExaminations(db),
    ...dataExaminations(db, settings),
    probeExamination(db, settings),
  ];
  for (const examination of examinations) {
    const finding = await examine(examination);
    findings.push(finding);
    if (!isJson) console.log(lineOf(finding));
  }
  const worst = worstOf(findings);
  if (isJson) printJson({ worst, findings });
  return CODES[worst];
}

function lineOf({ name, level, says, todo }: Finding): string {
  const line = `${MARKS[level].padEnd(9)}${name.padEnd(15)}${says}`;
  return visible(todo === undefined ? line : `${line}. Do: ${todo}.`);
}
