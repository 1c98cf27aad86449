import type { TermsAnswer } from '../packages/client/src/index.ts';
import { amountWarnings } from '../lib/rule-book/amount-warnings.ts';
import type { OnceOptions } from './call-once.ts';
import { digitsFor } from './print-answer.ts';
import { callTerms, type TermsCall } from './terms-calls.ts';

/**
 * Warns of a maximum that looks like major units, as storing a rule does. A dry run of the change knows the
 * rule's currency; where it fails, so will the change.
 */
export async function overrideWarnings(
  options: OnceOptions,
  call: TermsCall,
  amount: number,
): Promise<readonly string[]> {
  try {
    const fields = { ...call.fields, dryRun: true };
    const { effect } = await callTerms<TermsAnswer>('Not warned', options, { ...call, fields });
    const [first] = effect?.steps ?? [];
    const { currency } = effect ?? {};
    if (first === undefined || currency === undefined) return [];
    const id = call.rule ?? '';
    const digits = (await digitsFor(effect, options))(currency);
    const { max, maxBy } = first.before;
    const tiers = maxBy?.amount;
    const was = tiers === undefined ? max?.amount : { ...tiers.values, else: tiers.else };
    return amountWarnings(
      {
        id,
        before: { id, currency, digits, max: { amount: was } },
        after: { id, currency, digits, max: { amount } },
      },
      [],
    );
  } catch {
    return [];
  }
}
