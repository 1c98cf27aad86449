import type { Difference } from '../../lib/audit/reconcile/difference.ts';
import { COUNTER_SUM_MAX } from '../../lib/shared/bounds.ts';
import { digitsOf } from '../../lib/shared/currency.ts';
import { amountText } from '../money.ts';
import type { CounterName } from './counter-names.ts';

type SumName = Extract<Difference, { readonly kind: 'sum' }>['sum'];

const SUM_TEXT: Readonly<Record<SumName, string>> = {
  usedAmount: 'used amount',
  usedCount: 'used count',
  heldAmount: 'held amount',
  heldCount: 'held count',
};

/** Names what a field counts. A field of `p` counts holds that entered the same buckets. */
function openCountText(field: string): string {
  if (field === 'open') return 'open holds (open)';
  if (field === 'shares') return 'open shares (shares)';
  return `open holds that entered the same buckets (${field})`;
}

/** Names of counters, by their keys. */
export type Names = ReadonlyMap<string, CounterName>;

/** A sum as people read it, and as it is stored: `3.00 CNY (300)`. */
function sumText(sum: SumName, value: number, name: CounterName | undefined): string {
  if (!sum.endsWith('Amount') || name?.currency === undefined) return String(value);
  const { currency, digits } = name;
  const amount = amountText(value, currency, () => digitsOf(currency, digits));
  return `${amount} ${currency} (${value})`;
}

/** Says what differs, in one line. */
export function describe(document: string, difference: Difference, names: Names): string {
  if (difference.kind === 'hold') {
    const { orderId, until } = difference;
    return `${document}: a row says that order ${JSON.stringify(orderId)} is held until ${until.toISOString()}, but the document has no such hold`;
  }
  if (difference.kind === 'open') {
    const { field, stored, expected } = difference;
    return `${document}: number of ${openCountText(field)}, is ${stored}, but the document has ${expected}`;
  }
  const { bucket, sum, value } = difference;
  const began = bucket.start === undefined ? '' : `${bucket.start.toISOString()} `;
  const window = `${began}to ${bucket.until.toISOString()}`;
  const by = sum.startsWith('used') ? 'rows' : 'open holds';
  const name = names.get(bucket.counter);
  const rules = name === undefined ? 'of no rule that is stored' : name.rules;
  const ofValue = value === undefined ? '' : ` of the value ${value} (its digest)`;
  const told = `${document}: ${SUM_TEXT[sum]}${ofValue} of counter ${bucket.counter} (${rules}), ${window}`;
  if (difference.kind === 'beyond')
    return `${told}, is above ${COUNTER_SUM_MAX} in the document or in its ${by}: no number is exact there, so it is neither compared nor repaired`;
  const values = [difference.stored, difference.expected].map((one) => sumText(sum, one, name));
  return `${told}, is ${values.join(`, but its ${by} add up to `)}`;
}
