/** What `readAmounts` reads, as a phrase. */
export const AMOUNTS_EXPECTED =
  'currencies and amounts in minor units, each currency once, such as CNY:5000000,USD:700000';

/** Reads amounts by currency, none of an empty text; undefined where it is no such text. */
export function readAmounts(text: string): Readonly<Record<string, number>> | undefined {
  if (text === '') return {};
  const amounts = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, currency, amount] = /^([A-Z0-9]{3,12}):(\d{1,15})$/.exec(part.trim()) ?? [];
    if (currency === undefined || amounts.has(currency)) return undefined;
    amounts.set(currency, Number(amount));
  }
  return Object.fromEntries(amounts);
}
