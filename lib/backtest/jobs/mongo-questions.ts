import type { Db } from 'mongodb';
import { auditCollection } from '../../audit/mongo-audit-store.ts';
import { readRule } from '../../rule-file/rule-reading.ts';
import { readRules } from '../../rule-file/rule-list.ts';
import { mongoRuleStore } from '../../rule-book/mongo-rule-store.ts';
import { errorOf } from '../../shared/errors.ts';
import { documentId } from '../../shared/subject.ts';
import type { DraftAsked, TriedRules } from '../draft.ts';
import { prepared } from '../draft.ts';
import { readInForce } from '../mongo-in-force.ts';
import { mongoPast } from '../mongo-past.ts';
import type { Past } from '../replay-past.ts';
import type { Backtest } from '../tally.ts';
import type { BacktestJob, BacktestQuestion, DraftGiven } from './job.ts';

/**
 * Says what a question needs, before anybody works on it.
 *
 * @throws NothingToTestError
 * @throws AttributeNotKeptError
 * @throws NeverInForceError
 * @throws OfOthersError
 * @throws RuleNotLiveError
 */
export async function examineOn(
  db: Db,
  question: BacktestQuestion,
): Promise<Pick<BacktestJob, 'warmUpFrom' | 'revision'>> {
  const { from, to, subject } = question;
  const [inForce, set] = await Promise.all([readInForce(db, to), mongoRuleStore(db).read()]);
  const { warmUpFrom } = prepared(draftFrom(question.draft), inForce, question);
  const ofSubject = subject && { subjectIds: documentId(subject.kind, subject.id) };
  const found = await auditCollection(db).findOne(
    { ...ofSubject, at: { $gte: from, $lt: to }, operation: 'check' },
    { projection: { _id: 1 }, readPreference: 'secondaryPreferred' },
  );
  if (found === null) throw new NothingToTestError(question);
  return { warmUpFrom, revision: set.revision };
}

/** The past that a question is about, and the question as a replay asks it. */
export async function openOn(
  db: Db,
  question: BacktestQuestion,
): Promise<{ readonly past: Past; readonly asked: Backtest }> {
  const { from, to, freed, subject, rowsPerSecond } = question;
  const inForce = await readInForce(db, to);
  const draft = prepared(draftFrom(question.draft), inForce, question);
  const rows = { from: draft.warmUpFrom, to, subject, rowsPerSecond };
  return { past: mongoPast(db, inForce, rows), asked: { ...draft, from, to, freed } };
}

/** It was read when the question was asked. */
function draftFrom(given: DraftGiven): DraftAsked {
  if ('rules' in given) return { rules: readRules(given.rules).rules };
  if ('drop' in given) return given;
  const { rule, mistakes } = readRule(given.put, ['put']);
  if (rule === undefined)
    throw new TypeError(`the rule that is put was read: ${String(mistakes[0]?.path)}`);
  return { put: rule };
}

/** There is no check in the time, or the audit has none. */
class NothingToTestError extends errorOf(
  'CANNOT_BE_TESTED',
  ({ from, to, subject }: TriedRules) => {
    const when = `from ${from.toISOString()} to ${to.toISOString()}`;
    return subject === undefined
      ? `the audit has no check ${when}: choose another time. Is AUDIT on?`
      : `the audit has no check of ${documentId(subject.kind, subject.id)} ${when}: choose another subject or time. Is AUDIT on?`;
  },
) {}
