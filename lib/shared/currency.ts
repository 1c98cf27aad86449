/** When ISO published the list that this table has: its List One, of current currencies. */
export const ISO_4217_PUBLISHED = '2026-01-01';

/**
 * Digits after the point, and the currencies that have them by ISO 4217. A runtime's own data (CLDR) say
 * how people write an amount, which is something else: they have no digits for HUF, IDR or COP, whose minor
 * unit is a hundredth. Source: www.six-group.com, list-one.xml.
 */
const BY_DIGITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [2, 'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN'],
  [2, 'BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD'],
  [2, 'FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW'],
  [2, 'KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR'],
  [2, 'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG'],
  [2, 'SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD'],
  [2, 'USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  // Withdrawn in the last ten years: payments of then are still told.
  [0, 'BYR'],
  [2, 'ANG BGN CUC HRK MRO SLL STD VEF ZWL'],
];

const DIGITS: ReadonlyMap<string, number> = new Map(
  BY_DIGITS.flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, digits]),
  ),
);

/** Codes that ISO 4217 has without digits: metals, units of account, and no currency at all (`XXX`). */
const WITHOUT_DIGITS: ReadonlySet<string> = new Set(
  'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
);

/** Says whether ISO 4217 has a code. */
export function isIso(currency: string): boolean {
  return DIGITS.has(currency) || WITHOUT_DIGITS.has(currency);
}

/** Digits after the point by ISO 4217; undefined for codes that it does not have, or has without digits, as XAU. */
export function isoDigits(currency: string): number | undefined {
  return DIGITS.get(currency);
}

/**
 * Digits after the point: a minor unit is `10 ** -digits` of the currency.
 *
 * @param otherwise of a currency for which ISO has none; its amounts are whole units where nobody said
 */
export function digitsOf(currency: string, otherwise = 0): number {
  return isoDigits(currency) ?? otherwise;
}

/** Writes minor units as a plain decimal number, to the last digit: 1234 with two digits is `12.34`. */
export function decimalText(amountMinor: number | bigint, digits: number): `${number}` {
  const text = String(amountMinor)
    .replace('-', '')
    .padStart(digits + 1, '0');
  const point = text.length - digits;
  const sign = amountMinor < 0 ? '-' : '';
  const fraction = digits === 0 ? '' : `.${text.slice(point)}`;
  return `${sign}${text.slice(0, point)}${fraction}` as `${number}`; // of digits alone
}

/** Says how many digits a currency has after the point. */
export type Digits = (currency: string) => number;

/**
 * Writes an amount as people do: `amountText(2_000_000, 'CNY')` is `20,000.00`.
 *
 * @param amountMinor whole minor units, perhaps negative
 * @param currency of ISO 4217, or a private code
 * @param digits by default those of ISO 4217, and none of private codes
 */
export function amountText(
  amountMinor: number | bigint,
  currency: string,
  digits: Digits = digitsOf,
): string {
  const [whole = '', fraction] = decimalText(amountMinor, digits(currency)).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const grouped = `${sign}${BigInt(whole.replace('-', '')).toLocaleString('en')}`;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
