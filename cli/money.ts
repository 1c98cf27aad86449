export { amountText } from '../lib/shared/currency.ts';
export type { Digits } from '../lib/shared/currency.ts';
