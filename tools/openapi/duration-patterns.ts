const BELOW_24 = '(?:1?[0-9]|2[0-3])';
const BELOW_60 = '[1-5]?[0-9]';
const FRACTION = '(?:\\.[0-9]{1,3})?';

const SECONDS = `(?:${BELOW_60}${FRACTION}S)`;
const MINUTES = `(?:${BELOW_60}M${SECONDS}?)`;
/** The part that may follow days: less than a day. */
const TIME = `(?:T(?:${BELOW_24}H(?:${MINUTES}|${SECONDS})?|${MINUTES}|${SECONDS}))`;

const HOURS_TO_167 = '(?:[1-9][0-9]?|1[0-5][0-9]|16[0-7])';
const MINUTES_TO_10079 = '(?:[1-9][0-9]{0,3}|100[0-7][0-9])';
const SECONDS_TO_604799 = '(?:[1-9][0-9]{0,4}|[1-5][0-9]{5}|60[0-3][0-9]{3}|604[0-7][0-9]{2})';

/**
 * The lengths that a hold may have, HOLD_SECONDS_MIN to HOLD_SECONDS_MAX, as a pattern: JSON Schema has
 * no bounds for durations.
 *
 * It knows one number with its unit, `PT90M`, and several where each but the first is below what
 * makes one of the unit before: `P1DT12H`, `PT36H30M`, `PT1.5S`. Headroom takes other texts of such
 * a length, `PT1H90M` or `PT05M`, which the pattern does not know. No look-around: patterns are
 * read in many languages.
 */
export const HOLD_PATTERN = `^P(?:${[
  '1W',
  '7D',
  'T168H',
  'T10080M',
  'T604800S',
  `[1-6]D${TIME}?`,
  `T${HOURS_TO_167}H(?:${MINUTES}|${SECONDS})?`,
  `T${MINUTES_TO_10079}M${SECONDS}?`,
  `T${SECONDS_TO_604799}${FRACTION}S`,
].join('|')})$`;

const BELOW_3600 = '(?:[1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2})';

/** How far behind `usage` may be, PT1S to PT1H, as a pattern like that of a hold. */
export const STALE_PATTERN = `^PT(?:1H|60M|3600S|(?:[1-9]|[1-5][0-9])M${SECONDS}?|${BELOW_3600}${FRACTION}S)$`;

const OTHER_SECONDS = `(?:[0-9]{1,9}${FRACTION}S)`;
const OTHER_MINUTES = `(?:[0-9]{1,9}M${OTHER_SECONDS}?)`;
const OTHER_TIME = `(?:T(?:[0-9]{1,9}H(?:${OTHER_MINUTES}|${OTHER_SECONDS})?|${OTHER_MINUTES}|${OTHER_SECONDS}))`;

/** Every length that is read at all; between which bounds it must be is said in words. */
export const DURATION_PATTERN = `^P(?:[0-9]{1,9}W(?:[0-9]{1,9}D)?${OTHER_TIME}?|[0-9]{1,9}D${OTHER_TIME}?|${OTHER_TIME})$`;
