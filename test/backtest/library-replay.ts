/** The whole library over documents in memory: it decides the rows of a past again, under other rules. */
import type { AuditRow } from '../../lib/audit/audit.ts';
import type { PastRow } from '../../lib/backtest/past-row.ts';
import {
  isBeginning,
  checkOf,
  isAfter,
  isDecision,
  recordOf,
} from '../../lib/backtest/past-row.ts';
import { addRows, dueUnits, newOrder } from '../../lib/backtest/row-order.ts';
import type { Verdict } from '../../lib/backtest/verdict.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { MingoStore } from '../support/mingo-store.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { refundsIn } from './memory-refunds.ts';
import { memoryRows } from './memory-rows.ts';
import type { Played } from './played-past.ts';
import { limitsOver } from '../support/limits-fixture.ts';

/** What the library says of each check, by the row's id. */
export async function libraryReplay(
  { rows, inForce }: Played,
  rules: readonly Rule[],
  onNoRule: 'allow' | 'refuse' | 'refuse-unlimited',
): Promise<ReadonlyMap<string, Verdict>> {
  const counters = mingoStore();
  const { audit } = memoryRows();
  const [{ by }] = inForce.settings;
  const limits = limitsOver(counters, () => Promise.resolve(rules), {
    openHoldsMax: by.openHoldsMax,
    onNoRule,
    audit: { ...audit, refunds: refundsIn(counters, audit.store) },
  });
  const said = new Map<string, Verdict>();
  const allowed = new Map<string, Allowed>();
  const held = new Map<string, Allowed>();
  const terms = [...inForce.terms];
  const order = newOrder();
  addRows(
    order,
    rows.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  );
  for (const unit of dueUnits(order)) {
    const [row] = unit;
    for (let next = terms[0]; next && next.at <= row.at; next = terms[0]) {
      await changeTerms(counters, next);
      terms.shift();
    }
    if (isDecision(row)) {
      const verdicts = await checked(limits, unit, rules);
      for (const [place, one] of unit.entries()) {
        const verdict = verdicts[place];
        if (verdict === undefined) continue;
        said.set(one.id, verdict);
        const id = `${one.appId} ${one.orderId}`;
        if (verdict.outcome === 'allowed') held.set(id, allowedBy(one, verdict));
        // A repeat is the order that is held.
        const order = verdict.outcome === 'repeated' ? held.get(id) : allowedBy(one, verdict);
        if (one.nonce !== undefined && ['allowed', 'repeated'].includes(verdict.outcome))
          allowed.set(one.nonce, { ...order, row: one });
      }
    } else if (row.operation === 'record' && isBeginning(row)) {
      await limits.recordMany([recordOf(row)], row.at);
      allowed.set(row.nonce ?? '', { row });
    } else if (isAfter(row)) await settled(limits, row, allowed.get(row.nonce ?? ''));
  }
  return said;
}

/** An order that the library let pass, and the most that is paid of it where it holds less than what was held. */
type Allowed = { readonly row: PastRow; readonly mostMinor?: number | undefined };

function allowedBy(row: PastRow, { amountMinor = 0 }: Verdict): Allowed {
  return isBeginning(row) && amountMinor < (row.amountMinor ?? 0)
    ? { row, mostMinor: amountMinor }
    : { row };
}

async function changeTerms(
  counters: MingoStore,
  { document, at, terms }: Played['inForce']['terms'][number],
): Promise<void> {
  const found = await counters.read([document], [], at, at);
  const expected = found.get(document)?.terms?.version;
  await counters.changeTerms(document, { expected, terms }, at);
}

/** What is said of a check, or of each of a call of all or none. */
async function checked(
  limits: Limits,
  unit: readonly [PastRow, ...PastRow[]],
  rules: readonly Rule[],
): Promise<readonly Verdict[]> {
  const [{ at, atomic = false }] = unit;
  const requests = unit.map((row) => checkOf(row, rules));
  const results = await limits.checkMany(requests, atomic, at);
  return results.map((result, place): Verdict => {
    if (result.kind === 'answered') return verdictOf(result.answer, requests[place]?.amountMinor);
    const { error } = result;
    if (!(error instanceof HeadroomError)) throw error;
    return { outcome: error.code, rules: [] };
  });
}

function verdictOf(answer: CheckAnswer, asksMinor: number | undefined): Verdict {
  if (answer.kind === 'undecided') throw new Error('documents in memory decide');
  if (answer.kind === 'allowed') {
    if (answer.repeated) return { outcome: 'repeated', rules: [] };
    const amountMinor = answer.part?.amount ?? asksMinor;
    return { outcome: 'allowed', rules: [], amountMinor };
  }
  const refusing = answer.rules.filter(({ outcome }) =>
    ['exceeded', 'below-minimum'].includes(outcome),
  );
  const { reason } = answer;
  return {
    outcome: 'refused',
    rules: [...new Set(refusing.map(({ rule }) => rule.id))],
    reason: reason === 'no-rule' || reason === 'frozen' ? reason : undefined,
  };
}

async function settled(limits: Limits, row: AuditRow, check: Allowed | undefined): Promise<void> {
  if (check === undefined) return;
  const { appId, orderId, reasonCode, refundId, at } = row;
  const amountMinor = row.amountMinor && Math.min(row.amountMinor, check.mostMinor ?? Infinity);
  const whereabouts = { kind: 'subjects', subjects: check.row.subjects } as const;
  const order = { appId, orderId, whereabouts };
  if (row.operation === 'confirm') await limits.confirm({ ...order, amountMinor }, at);
  else if (row.operation === 'rollback') await limits.rollback({ ...order, reasonCode }, at);
  else await limits.refund({ ...order, refundId: refundId ?? row.id, amountMinor }, at);
}
