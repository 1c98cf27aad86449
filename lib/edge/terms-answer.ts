import type { Override, Stretch } from '../domain/override.ts';
import { isWithin } from '../domain/override.ts';
import type { Subject } from '../domain/subject.ts';
import type { Freeze, Terms } from '../domain/terms.ts';
import { NO_TERMS } from '../domain/terms.ts';
import type { TermsChanged, TermsFound } from '../domain/terms-change.ts';
import type { JsonObject } from './answers.ts';
import { authorJson } from './author-answer.ts';
import { pageOf, placeText } from './page.ts';

/** Writes a subject's terms, those to come among them. Amounts are minor units. */
export function termsJson(subject: Subject, { terms, now }: TermsFound): JsonObject {
  return {
    subject: { [subject.kind]: subject.id },
    freeze: terms?.freeze === undefined ? null : freezeJson(terms.freeze, now),
    overrides: (terms?.overrides ?? []).map((one) => overrideJson(one, now)),
    version: terms?.version ?? NO_TERMS,
    now: now.toISOString(),
  };
}

/** Writes a page of changes; `next` is what the next page is `before`. */
export function changesJson(
  subject: Subject,
  limit: number,
  found: readonly TermsChanged[],
): JsonObject {
  const { rows, last } = pageOf(found, limit, changeJson);
  return {
    subject: { [subject.kind]: subject.id },
    changes: rows,
    next: last === undefined ? null : placeText({ at: last.at, id: last.version }),
  };
}

function changeJson({ change, rule, before, after, ...author }: TermsChanged): JsonObject {
  return {
    change,
    ...(rule === undefined ? {} : { rule }),
    ...authorJson(author),
    before: before === undefined ? null : plainTerms(before, author.at),
    after: after === undefined ? null : plainTerms(after, author.at),
  };
}

function plainTerms({ freeze, overrides }: Terms, at: Date): JsonObject {
  return {
    freeze: freeze === undefined ? null : freezeJson(freeze, at),
    overrides: overrides.map((one) => overrideJson(one, at)),
  };
}

function overrideJson(override: Override, now: Date): JsonObject {
  const { amountMinor, count } = override.max;
  return {
    rule: override.rule,
    max: {
      ...(amountMinor === undefined ? {} : { amount: amountMinor }),
      ...(count === undefined ? {} : { count }),
    },
    ...stretchJson(override, now),
    ...authorJson(override),
  };
}

function freezeJson(freeze: Freeze, now: Date): JsonObject {
  return { ...stretchJson(freeze, now), ...authorJson(freeze) };
}

function stretchJson(stretch: Stretch & { readonly at: Date }, now: Date): JsonObject {
  const { from = stretch.at, until } = stretch;
  return {
    inForce: isWithin(stretch, now),
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
  };
}
