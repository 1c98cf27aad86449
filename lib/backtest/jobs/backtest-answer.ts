import type {
  backtestAnswer,
  backtestOrdersAnswer,
  backtestsAnswer,
} from '../../../contract/backtests.ts';
import type { Told } from '../../../contract/words.ts';
import { pageOf, placeText } from '../../http/page.ts';
import type { Language } from '../../shared/language.ts';
import type { BacktestJob, PlacedOrder } from './job.ts';

/** A back-test with what it found out. */
export function backtestJson(job: BacktestJob): Told<typeof backtestAnswer> {
  const { question, summary, problem } = job;
  return {
    ...listedJson(job),
    draft: question.draft,
    result: summary ?? null,
    problem: problem ?? null,
  };
}

/** Back-tests, newest first. */
export function backtestsJson(jobs: readonly BacktestJob[]): Told<typeof backtestsAnswer> {
  return { backtests: jobs.map(listedJson) };
}

/** A page of orders. */
export function ordersJson(
  found: readonly PlacedOrder[],
  limit: number,
  language: Language,
): Told<typeof backtestOrdersAnswer> {
  const { rows: orders, last } = pageOf(found, limit, ({ place: _place, sentences, ...order }) =>
    sentences === undefined ? order : { ...order, sentence: sentences[language] },
  );
  return { orders, next: last === undefined ? null : placeText(last.place, last.orderId) };
}

function listedJson(job: BacktestJob) {
  const { id, rule, state, question, revision, at, by, rows, startedAt, endedAt, expireAt } = job;
  const { from, to, freed, subject } = question;
  return {
    id,
    state,
    from,
    to,
    freed,
    rule,
    subject: subject && { [subject.kind]: subject.id },
    revision,
    at,
    by,
    progress: { rows, percent: percentOf(job) },
    startedAt: startedAt ?? null,
    endedAt: endedAt ?? null,
    goneAt: expireAt,
  };
}

function percentOf({ question, warmUpFrom, reached, state }: BacktestJob): number {
  if (state === 'done') return 100;
  const beganMs = Math.max(warmUpFrom.getTime(), 0);
  const share = ((reached?.getTime() ?? beganMs) - beganMs) / (question.to.getTime() - beganMs);
  return Math.min(100, Math.max(0, Math.floor(100 * share)));
}
