import type * as z from 'zod/mini';
import { VERSIONS_DEFAULT } from '../../shared/bounds.ts';
import { present } from '../../shared/present.ts';
import type { Subject } from '../../shared/subject.ts';
import { documentId } from '../../shared/subject.ts';
import { bothConditions } from '../../http/conditions.ts';
import type { Framing } from '../../http/envelope.ts';
import type { LambdaHandler } from '../../http/handler.ts';
import { PAGE_READ_BYTES_MAX } from '../../http/page.ts';
import type { Answered, Asking, Route, RoutesSurroundings } from '../../http/routed.ts';
import { createRoutes, route } from '../../http/routed.ts';
import { proposedAnswer } from '../four-eyes/proposal-answer.ts';
import { changesJson, termsJson } from './terms-answer.ts';
import type { TermsFound, TermsWish } from './terms-change.ts';
import type { TermsBook } from './terms-book.ts';
import { NoSuchTermsError } from './terms-refusals.ts';
import {
  endOverrideSchema,
  findOverrideSchema,
  freezeSchema,
  mistakesInOverride,
  overrideSchema,
  subjectSchema,
  termsChangesSchema,
  unfreezeSchema,
} from './terms-request.ts';
import { NO_TERMS } from './terms.ts';

const READS = { needs: ['usage:read'] } as const;
const WRITES = { needs: ['subjects:write'] } as const;
const OVERRIDE = '/v1/subjects/{kind}/{id}/overrides/{rule}';
const FREEZE = '/v1/subjects/{kind}/{id}/freeze';

/** Makes the one function of all routes of subjects' terms; a direct invocation says its `operation`. */
export function createTermsHandler(
  book: TermsBook,
  surroundings: RoutesSurroundings,
): LambdaHandler {
  /** What makes a change of what a caller wishes. */
  const changing =
    <Given extends Asked>(wishOf: (given: Given) => TermsWish) =>
    async (given: Given, { at, by }: Asking): Promise<Answered> => {
      const { kind, id, reason, ifMatch, ifNoneMatch } = given;
      const author = { by: by(), reason };
      const expected = ifMatch?.replaceAll(/[" ]/g, '');
      const how = { at, expected, isFirst: ifNoneMatch !== undefined };
      const found = await book.change({ kind, id }, wishOf(given), author, how);
      if (found.proposed !== undefined) return proposedAnswer(found.proposed);
      return { answer: termsJson({ kind, id }, found), ...tagged(found) };
    };
  const override = route({
    ...{ route: `PUT ${OVERRIDE}`, ...WRITES, takes: overrideSchema, between: mistakesInOverride },
    run: changing(({ rule, max, from, until, effectiveAfter }: z.infer<typeof overrideSchema>) => ({
      kind: 'override',
      override: {
        rule,
        max: present({ amountMinor: max.amount, count: max.count }),
        ...present({ from, until }),
      },
      ...present({ afterMs: effectiveAfter }),
    })),
  });
  const endOverride = route({
    ...{ route: `DELETE ${OVERRIDE}`, ...WRITES, takes: endOverrideSchema },
    run: changing(({ rule }: z.infer<typeof endOverrideSchema>) => ({ kind: 'endOverride', rule })),
  });
  const freeze = route({
    ...{ route: `PUT ${FREEZE}`, ...WRITES, takes: freezeSchema, between: bothConditions },
    run: changing(({ until }: z.infer<typeof freezeSchema>) => ({
      ...{ kind: 'freeze', ...present({ until }) },
    })),
  });
  const unfreeze = route({
    ...{ route: `DELETE ${FREEZE}`, ...WRITES, takes: unfreezeSchema },
    run: changing(() => ({ kind: 'unfreeze' })),
  });
  const changes = { override, endOverride, freeze, unfreeze };
  return createRoutes('subjects', { ...readingRoutes(book), ...changes }, surroundings);
}

function readingRoutes(book: TermsBook): Readonly<Record<string, Route>> {
  const terms = route({
    ...{ route: 'GET /v1/subjects/{kind}/{id}/terms', ...READS, takes: subjectSchema },
    async run(subject, { at }) {
      const found = await book.read(subject, at);
      return { answer: termsJson(subject, found), ...tagged(found) };
    },
  });
  const changes = route({
    ...{ route: 'GET /v1/subjects/{kind}/{id}/changes', ...READS, takes: termsChangesSchema },
    async run({ kind, id, limit = VERSIONS_DEFAULT, before }) {
      const subject = { kind, id };
      // It reads one more row than a page has, to see whether there is a next page.
      const page = { subject, before, limit: limit + 1, bytesMax: PAGE_READ_BYTES_MAX };
      return { answer: changesJson(subject, limit, await book.changes(page)) };
    },
  });
  const findOverride = route({
    ...{ route: `GET ${OVERRIDE}`, ...READS, takes: findOverrideSchema },
    run: async ({ kind, id, rule }, { at }) => {
      const { terms: has, now } = await book.read({ kind, id }, at);
      const own = (has?.overrides ?? []).filter((one) => one.rule === rule);
      if (has === undefined || own.length === 0)
        throw new NoSuchTermsError(
          documentId(kind, id),
          `override of rule ${JSON.stringify(rule)}`,
        );
      const found = { now, terms: { version: has.version, overrides: own } };
      const { subject, overrides, now: toldAt } = termsJson({ kind, id }, found);
      return { answer: { subject, overrides, now: toldAt } };
    },
  });
  return { terms, changes, findOverride };
}

/** What every change of terms says. */
type Asked = Subject & {
  readonly reason: string;
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
};

/** A version is a strong validator: RFC 9110, 8.8.3. */
function tagged({ terms }: TermsFound): Framing {
  return { headers: { etag: `"${terms?.version ?? NO_TERMS}"` } };
}
