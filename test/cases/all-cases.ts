import { BUSINESS_DAY_CASES } from './business-days.ts';
import { DISTINCT_CASES } from './distinct.ts';
import { DOCUMENT_CASES } from './documents.ts';
import { EXCESS_CASES } from './excesses.ts';
import { EXPIRY_CASES } from './expiry.ts';
import { LEVEL_CASES } from './levels.ts';
import { MODE_CASES } from './modes.ts';
import { OUTCOME_CASES } from './outcomes.ts';
import { PARTIAL_CASES } from './partial.ts';
import { RECORD_CASES } from './records.ts';
import { RESERVATION_CASES } from './reservations.ts';
import { REVIEW_CASES } from './reviews.ts';
import { RULE_CASES } from './rules.ts';
import { SCOPE_CASES } from './scopes.ts';
import { SINCE_CASES } from './since.ts';
import { TERMS_CASES } from './terms.ts';
import { TIMES_CASES } from './times.ts';
import { ZERO_AMOUNT_CASES } from './zero-amounts.ts';

export const CASES = [
  ...RESERVATION_CASES,
  ...RULE_CASES,
  ...SCOPE_CASES,
  ...MODE_CASES,
  ...TERMS_CASES,
  ...EXPIRY_CASES,
  ...DOCUMENT_CASES,
  ...RECORD_CASES,
  ...TIMES_CASES,
  ...EXCESS_CASES,
  ...OUTCOME_CASES,
  ...LEVEL_CASES,
  ...SINCE_CASES,
  ...BUSINESS_DAY_CASES,
  ...PARTIAL_CASES,
  ...REVIEW_CASES,
  ...DISTINCT_CASES,
  ...ZERO_AMOUNT_CASES,
];
