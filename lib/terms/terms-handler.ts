import type * as z from 'zod/mini';
import { VERSIONS_DEFAULT } from '../shared/bounds.ts';
import type { CallRow } from '../../contract/calls.ts';
import { CALLS } from '../../contract/calls.ts';
import { present } from '../shared/present.ts';
import { documentId } from '../shared/subject.ts';
import { bothConditions } from '../http/requests.ts';
import { tagged } from '../http/envelope.ts';
import type { LambdaHandler } from '../http/handler.ts';
import { PAGE_READ_BYTES_MAX } from '../http/page.ts';
import type { RequestSchema } from '../http/requests.ts';
import type { Route, RoutesSurroundings } from '../http/routed.ts';
import { createRoutes, route } from '../http/routed.ts';
import { changedJson, changesJson, termsJson } from './terms-answer.ts';
import type { TermsWish } from '../changes/terms-change.ts';
import type { TermsBook } from './terms-book.ts';
import { NoSuchTermsError } from './terms-refusals.ts';
import { mistakesInOverride, TERMS_TAKE } from './terms-request.ts';
import { overridesOf } from '../rule/terms.ts';
import { versionOf } from '../changes/terms-change.ts';
import { proposedAnswer } from '../four-eyes/proposed-answer.ts';

/** Makes the one function of all routes of subjects' terms; a direct invocation says its `operation`. */
export function createTermsHandler(
  book: TermsBook,
  surroundings: RoutesSurroundings,
): LambdaHandler {
  const changing = <Given extends Omit<z.infer<typeof TERMS_TAKE.freeze>, 'until'>>(
    call: CallRow,
    takes: RequestSchema<Given>,
    wishOf: (given: Given) => TermsWish,
    between = bothConditions,
  ): Route =>
    route({
      call,
      takes,
      between,
      async run(given, { at, by }) {
        const { kind, id, reason, ifMatch, ifNoneMatch, dryRun = false } = given;
        const expected = ifMatch?.replaceAll(/[" ]/g, '');
        const how = { at, expected, isFirst: ifNoneMatch !== undefined, dryRun };
        const found = await book.change({ kind, id }, wishOf(given), { by: by(), reason }, how);
        if (found.proposed !== undefined) return proposedAnswer(found.proposed, found.effect);
        const answer = changedJson({ kind, id }, found, dryRun, await book.ruleOf());
        return { answer, ...tagged(versionOf(found.terms)) };
      },
    });
  const changes = {
    override: changing(
      CALLS.override,
      TERMS_TAKE.override,
      ({ rule, max, from, until, effectiveAfter }) => ({
        kind: 'override',
        override: {
          rule,
          max: present({ amountMinor: max.amount, count: max.count }),
          ...present({ from, until }),
        },
        ...present({ afterMs: effectiveAfter }),
      }),
      mistakesInOverride,
    ),
    endOverride: changing(CALLS.endOverride, TERMS_TAKE.endOverride, ({ rule, overrideId }) => ({
      kind: 'endOverride',
      rule,
      ...present({ overrideId }),
    })),
    freeze: changing(CALLS.freeze, TERMS_TAKE.freeze, ({ until }) => ({
      kind: 'freeze',
      ...present({ until }),
    })),
    unfreeze: changing(CALLS.unfreeze, TERMS_TAKE.unfreeze, () => ({ kind: 'unfreeze' })),
  };
  return createRoutes('subjects', { ...readingRoutes(book), ...changes }, surroundings);
}

function readingRoutes(book: TermsBook) {
  return {
    terms: route({
      call: CALLS.terms,
      takes: TERMS_TAKE.terms,
      async run(subject, { at }) {
        const found = await book.read(subject, at);
        const answer = termsJson(subject, found, await book.ruleOf());
        return { answer, ...tagged(versionOf(found.terms)) };
      },
    }),
    changes: route({
      call: CALLS.termsChanges,
      takes: TERMS_TAKE.changes,
      async run({ kind, id, limit = VERSIONS_DEFAULT, before }) {
        const subject = { kind, id };
        const page = { subject, before, limit: limit + 1, bytesMax: PAGE_READ_BYTES_MAX };
        const found = await book.changes(page);
        return { answer: changesJson(subject, limit, found, await book.ruleOf()) };
      },
    }),
    findOverride: route({
      call: CALLS.findOverride,
      takes: TERMS_TAKE.findOverride,
      async run({ kind, id, rule }, { at }) {
        const { terms, now: foundAt } = await book.read({ kind, id }, at);
        const own = overridesOf(terms, { id: await book.nameOf(rule) });
        if (terms === undefined || own.length === 0)
          throw new NoSuchTermsError(
            documentId(kind, id),
            `override of rule ${JSON.stringify(rule)}`,
          );
        const found = { now: foundAt, terms: { ...terms, overrides: own } };
        const told = termsJson({ kind, id }, found, await book.ruleOf());
        const { subject, overrides, now } = told;
        return { answer: { subject, overrides, now } };
      },
    }),
  };
}
