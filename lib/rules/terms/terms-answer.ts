import type * as told from '../../../contract/terms.ts';
import type { Told } from '../../../contract/words.ts';
import type { Override, Validity } from '../rule.ts';
import { isWithin } from '../rule.ts';
import type { Subject } from '../../shared/subject.ts';
import type { Terms } from './terms.ts';
import { versionOf } from './terms.ts';
import type { TermsChanged, TermsFound } from './terms-change.ts';
import { untilJson } from '../../http/standing-answer.ts';
import { authorJson } from '../rules-answer.ts';
import { pageOf, placeText } from '../../http/page.ts';

/** Writes a subject's terms, those to come among them. */
export function termsJson(
  subject: Subject,
  { terms, now }: TermsFound,
): Told<typeof told.termsAnswer> {
  return {
    subject: { [subject.kind]: subject.id },
    ...plainTerms(terms, now),
    version: versionOf(terms),
    now: now.toISOString(),
  };
}

/** Writes a page of changes; `next` is what the next page is `before`. */
export function changesJson(
  subject: Subject,
  limit: number,
  found: readonly TermsChanged[],
): Told<typeof told.termsChangesAnswer> {
  const { rows, last } = pageOf(found, limit, changeJson);
  return {
    subject: { [subject.kind]: subject.id },
    changes: rows,
    next: last === undefined ? null : placeText(last.at.getTime(), last.version),
  };
}

function changeJson({ change, rule, before, after, ...author }: TermsChanged) {
  return {
    ...{ change, rule },
    ...authorJson(author),
    before: before === undefined ? null : plainTerms(before, author.at),
    after: after === undefined ? null : plainTerms(after, author.at),
  };
}

/** Writes what a subject has of its own, as it stands at an instant. */
export function plainTerms(terms: Terms | undefined, at: Date): Told<typeof told.terms> {
  const { freeze, overrides = [] } = terms ?? {};
  return {
    freeze: freeze === undefined ? null : { ...stretchJson(freeze, at), ...authorJson(freeze) },
    overrides: overrides.map((one) => overrideJson(one, at)),
  };
}

function overrideJson(override: Override, now: Date) {
  const { amountMinor, count } = override.max;
  return {
    rule: override.rule,
    max: { amount: amountMinor, count },
    ...stretchJson(override, now),
    ...authorJson(override),
  };
}

function stretchJson(stretch: Validity & { readonly at: Date }, now: Date) {
  const { from = stretch.at } = stretch;
  return {
    inForce: isWithin(stretch, now),
    from: from.toISOString(),
    until: untilJson(stretch),
  };
}
