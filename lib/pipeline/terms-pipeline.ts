import { HOLD_SECONDS_MAX, MEMORY_MS } from '../domain/bounds.ts';
import { buckets, documentTime, surelyOver } from './document-reading.ts';
import type { Expression, PipelineStage } from './expression.ts';
import {
  each,
  equal,
  firstOf,
  largest,
  largestIn,
  orEmpty,
  plus,
  smallest,
  updating,
  when,
} from './expression.ts';
import type { StoredTerms } from './stored-terms.ts';

/** The data of a change of a subject's terms. */
export type TermsData = {
  /** The version that they are a change of; null where there were none. */
  readonly expected: string | null;
  /** Null to take them away. */
  readonly terms: StoredTerms<bigint> | null;
  /** When the last of them is over; null where there are none. */
  readonly until: Date | null;
};

/** When all else in the document is over: its windows, its holds, and what is remembered of orders. */
const restOver = largest(
  plus('$work.now', HOLD_SECONDS_MAX * 1_000 + MEMORY_MS),
  largestIn(each('$work.buckets', 'bucket', surelyOver('$$bucket.until'))),
  largestIn(each(orEmpty('$holds'), 'hold', plus('$$hold.until', MEMORY_MS))),
);

const update = updating(
  [
    { mayChange: equal(firstOf('$terms.version', null), '$work.request.expected'), buckets },
    { restOver },
  ],
  {
    terms: when(
      '$work.mayChange',
      when(equal('$work.request.terms', null), '$$REMOVE', '$work.request.terms'),
      '$terms',
    ),
    expireAt: when(
      '$work.mayChange',
      largest(
        smallest(firstOf('$expireAt', '$work.restOver'), '$work.restOver'),
        when('$work.request.until', surelyOver('$work.request.until'), '$work.now'),
      ),
      '$expireAt',
    ),
  },
);

/**
 * The update that gives a subject other terms, or takes them away, unless they are others by now than
 * those that were read. The document stays as long as they are in force, and no longer than it needs to.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function termsPipeline(data: TermsData, now: Expression): readonly PipelineStage[] {
  const { expected, terms, until } = data;
  return update({ expected, terms, until }, documentTime(now));
}
