import { amountWarnings } from '../rules-difference.ts';
import type { CallOptions } from './calls.ts';
import { calling } from './calls.ts';

/** Longest wait for what is only a warning. */
const DEADLINE_MS = 2_000;

/**
 * Warns of a maximum that looks like major units, as storing a rule does. The rule's currency is in the
 * subject's usage; a caller that may not read it gets no warning.
 */
export async function overrideWarnings(
  options: CallOptions,
  { kind, id, rule, amount }: { kind: string; id: string; rule: string; amount: number },
): Promise<readonly string[]> {
  try {
    const asked = { ...options, deadlineMs: DEADLINE_MS };
    const { rules } = await calling('Not warned', asked, (client) => client.usage({ [kind]: id }));
    const known = rules.find((each) => each.rule === rule);
    if (known?.currency === undefined) return [];
    const { currency, max } = known;
    return amountWarnings({
      id: rule,
      before: { id: rule, currency, max },
      after: { id: rule, currency, max: { amount } },
    });
  } catch {
    return [];
  }
}
