import type { WindowKind } from './window-kind.ts';

/** Each payment alone. */
export type TransactionWindow = { readonly kind: 'transaction' };

/** The kind `transaction`: it counts nothing. */
export const transaction = {
  key: () => 'transaction',
  placing: { kind: 'single' },
  begins: false,
  text: { en: () => 'in one payment', zh: () => '单笔' },
  answer: () => ({ kind: 'transaction' }) as const,
} satisfies WindowKind<TransactionWindow>;
