import type { RecordAnswer } from '../limits/answer.ts';
import type { Excess } from '../limits/standing.ts';
import type { DocumentView } from '../document/document.ts';
import type { RecordRequest } from '../shared/request.ts';
import { CONFIRMED } from '../shared/states.ts';
import { inEffect } from '../rule/in-effect.ts';
import { underTerms } from '../rule/terms.ts';
import { isOver } from '../counter/effect.ts';
import type { EnteredRule } from '../plan/record-plan.ts';
import { ruleExcess } from '../limits/standing.ts';

/** By how much maxima that are in force now are exceeded by all that counts. */
export function excessesOver(
  entered: readonly EnteredRule[],
  request: RecordRequest,
  views: ReadonlyMap<string, DocumentView>,
  now: Date,
): readonly Excess[] {
  return entered.flatMap(({ rule, isAsked: asked, documentId: id, termsOf, counter, until }) => {
    const view = views.get(id);
    const isInForce = asked && rule.mode === 'enforce' && inEffect(rule, now) && until > now;
    if (view === undefined || !isInForce) return [];
    return ruleExcess(underTerms(rule, views.get(termsOf)?.terms, now), counter, view, request);
  });
}

/**
 * Answers for a counted payment, without the maxima that it exceeds.
 *
 * @param leftOut counters that it did not enter, because a trial with an exact window was full
 */
export function recordAnswer(
  entered: readonly EnteredRule[],
  { amountMinor, ending = CONFIRMED }: RecordRequest,
  now: Date,
  leftOut: readonly string[] = [],
): RecordAnswer {
  const counting = entered.filter(
    (bucket) => !isOver(bucket, now) && !leftOut.includes(bucket.counter),
  );
  return {
    state: ending.to,
    repeated: false,
    amount: amountMinor,
    counted: counting.map(({ rule }) => rule.id),
    over: entered.filter((bucket) => isOver(bucket, now)).map(({ rule }) => rule.id),
    exceeded: [],
  };
}
