/** The whole library over documents in memory: it decides the rows of a past again, under other rules. */
import type { PastRow } from '../../lib/backtest/past-row.ts';
import { begins, checkOf, isAfter, isDecision, recordOf } from '../../lib/backtest/past-row.ts';
import type { Verdict } from '../../lib/backtest/verdict.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { createLimits } from '../../lib/edge/limits.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import type { MingoStore } from '../support/mingo-store.ts';
import { mingoStore } from '../support/mingo-store.ts';
import type { Played } from './played-past.ts';

/** What the library says of each check, by the row's id. */
export async function libraryReplay(
  { rows, inForce }: Played,
  rules: readonly Rule[],
  onNoRule: 'allow' | 'refuse' | 'refuse-unlimited',
): Promise<ReadonlyMap<string, Verdict>> {
  const counters = mingoStore();
  const [settings] = inForce.settings;
  const { openHoldsMax = 100 } = settings?.by ?? {};
  const limits = createLimits({
    counters,
    rules: () => Promise.resolve(rules),
    openHoldsMax,
    onNoRule,
  });
  const said = new Map<string, Verdict>();
  const allowed = new Map<string, PastRow>();
  const terms = [...inForce.terms];
  for (const row of rows) {
    for (let next = terms[0]; next && next.at <= row.at; next = terms[0]) {
      await changeTerms(counters, next);
      terms.shift();
    }
    if (isDecision(row)) {
      const verdict = await checked(limits, row, rules);
      said.set(row.id, verdict);
      if (row.nonce !== undefined && ['allowed', 'repeated'].includes(verdict.outcome))
        allowed.set(row.nonce, row);
    } else if (row.operation === 'record' && begins(row))
      await limits.recordMany([recordOf(row)], row.at);
    else if (isAfter(row)) await settled(limits, row, allowed.get(row.nonce ?? ''));
  }
  return said;
}

async function changeTerms(
  counters: MingoStore,
  { document, at, terms }: Played['inForce']['terms'][number],
): Promise<void> {
  const found = await counters.read([document], [], at, at);
  const expected = found.get(document)?.terms?.version;
  await counters.changeTerms(document, { expected, terms }, at);
}

async function checked(limits: Limits, row: PastRow, rules: readonly Rule[]): Promise<Verdict> {
  const request = checkOf(row, rules);
  try {
    const answer = await limits.check(request, row.at);
    if (answer.kind === 'undecided') throw new Error('documents in memory decide');
    if (answer.kind === 'allowed') {
      if (answer.repeated) return { outcome: 'repeated', rules: [] };
      const { amountMinor = request.amountMinor } = answer.part ?? {};
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
  } catch (error) {
    if (!(error instanceof HeadroomError)) throw error;
    return { outcome: error.code, rules: [] };
  }
}

async function settled(limits: Limits, row: PastRow, check: PastRow | undefined): Promise<void> {
  if (check === undefined) return;
  const { appId, orderId, amountMinor, reasonCode, at } = row;
  const whereabouts = { kind: 'subjects', subjects: check.subjects } as const;
  const order = { appId, orderId, whereabouts };
  if (row.operation === 'confirm') await limits.confirm({ ...order, amountMinor }, at);
  else await limits.rollback({ ...order, reasonCode }, at);
}
