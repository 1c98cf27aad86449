/** The payments that a test knows, summed up naively: one by one, in milliseconds, in Shanghai. */

export const DAY_MS = 86_400_000;
/** Shanghai is eight hours east, and has no summer time. */
export const SHANGHAI_MS = 8 * 3_600_000;

/** A payment, and its outcome. */
export type Payment = {
  readonly orderId: string;
  readonly user: string;
  readonly merchant: string | undefined;
  readonly type: string;
  readonly currency: string;
  readonly amount: number;
  readonly count: number;
  /** When it was checked, or happened. */
  readonly atMs: number;
  end:
    | {
        readonly kind: 'confirmed';
        readonly amount: number;
        readonly atMs: number;
        /** It was never checked. */
        readonly isRecorded?: true;
      }
    | { readonly kind: 'refused'; readonly by: readonly object[]; readonly atMs: number }
    | undefined;
  readonly refunds: { readonly amount: number; readonly atMs: number; readonly isLast: boolean }[];
};

/** The hour of a day in Shanghai, which has no summer time. */
function hourOf(ms: number, day: number): number {
  return Math.floor((ms + SHANGHAI_MS - day * DAY_MS) / 3_600_000);
}

/** The day in Shanghai of an instant, counted from 1970-01-01. */
export function dayNumber(ms: number): number {
  return Math.floor((ms + SHANGHAI_MS) / DAY_MS);
}

function currenciesOf(payments: readonly Payment[]): readonly string[] {
  return [...new Set(payments.map(({ currency }) => currency))].sort();
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Confirmed minus refunded, as a history tells it. */
export function netByCurrency(payments: readonly Payment[]): readonly object[] {
  return currenciesOf(payments).map((currency) => {
    const those = payments.filter((one) => one.currency === currency);
    const refunded = total(those.flatMap(({ refunds }) => refunds.map(({ amount }) => amount)));
    const paid = total(those.map(({ end }) => (end?.kind === 'confirmed' ? end.amount : 0)));
    const isGivenBack = ({ refunds }: Payment): boolean => refunds.some(({ isLast }) => isLast);
    const count = total(those.map((one) => (isGivenBack(one) ? 0 : one.count)));
    return { currency, amount: paid - refunded, count, refunded };
  });
}

/** The payments of a day that name a kind, as a summary tells it. */
export function summaryOfDay(
  payments: readonly Payment[],
  kind: 'user' | 'merchant' | 'card',
  day: number,
): object {
  const named = payments.filter(
    ({ merchant }) => kind === 'user' || (kind === 'merchant' && merchant !== undefined),
  );
  const isThen = ({ atMs }: { readonly atMs: number }): boolean => dayNumber(atMs) === day;
  const paid = named.filter(({ end }) => end?.kind === 'confirmed' && isThen(end));
  const back = named.filter(({ refunds }) => refunds.some(isThen));
  const refused = named.flatMap(({ end }) =>
    end?.kind === 'refused' && isThen(end) ? [{ ...end, hour: hourOf(end.atMs, day) }] : [],
  );
  const causes = refused.flatMap(({ by, hour }) =>
    by.map((one) => ({ name: JSON.stringify(one), hour })),
  );
  const refusals = [...new Set(causes.map(({ name }) => name))].map((name) => {
    const hours = causes.filter((one) => one.name === name).map(({ hour }) => hour);
    const hourly = Array.from({ length: 24 }, (_, at) => hours.filter((one) => one === at).length);
    return { name, count: hours.length, hourly };
  });
  return {
    sums: currenciesOf([...paid, ...back]).map((currency) => {
      const ofPaid = paid.filter((one) => one.currency === currency);
      const ofBack = back
        .filter((one) => one.currency === currency)
        .flatMap(({ refunds, count }) => refunds.filter(isThen).map((one) => ({ ...one, count })));
      const isOfOtherDay = ({ end, atMs }: Payment): boolean =>
        end?.kind === 'confirmed' && end.isRecorded === true && dayNumber(atMs) !== day;
      const sumOf = (those: readonly Payment[]) => ({
        amount: total(those.map(({ end }) => (end?.kind === 'confirmed' ? end.amount : 0))),
        count: total(those.map(({ count }) => count)),
      });
      return {
        currency,
        confirmed: sumOf(ofPaid.filter((one) => !isOfOtherDay(one))),
        recorded: sumOf(ofPaid.filter(isOfOtherDay)),
        refunded: {
          amount: total(ofBack.map(({ amount }) => amount)),
          count: total(ofBack.map(({ count, isLast }) => (isLast ? count : 0))),
        },
      };
    }),
    refused: refused.length,
    refusals: refusals
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .map(({ name, count, hourly }) => ({ ...(JSON.parse(name) as object), count, hourly })),
  };
}
