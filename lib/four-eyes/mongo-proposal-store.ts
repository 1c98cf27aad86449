import type { Collection, Db } from 'mongodb';
import { UndecidedError } from '../shared/errors.ts';
import type { Bounded } from '../mongo/client.ts';
import { asking, writing } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided, insertIfNew } from '../mongo/failure.ts';
import { olderThan } from '../mongo/rows-of-page.ts';
import type { InCommit } from '../mongo/transaction.ts';
import { inTransaction } from '../mongo/transaction.ts';
import type { Approval, ProposalDecision, Proposal, ProposalStore } from './proposal.ts';
import { decidedBy, proposalNumber } from './proposal.ts';
import { DAY_MS, REVIEW_DAYS } from '../shared/bounds.ts';

/** Name of the collection of changes that need a second person. */
export const PROPOSALS = 'proposals';

type ProposalDocument = Omit<Proposal, 'id'> & {
  readonly _id: string;
  /** Of its id. */
  readonly number: number;
  /** Of an order: changes are kept for ever. */
  readonly expireAt?: Date;
};

function proposalsOf(db: Db): Collection<ProposalDocument> {
  return db.collection<ProposalDocument>(PROPOSALS);
}

/** The proposals of a database. */
export function mongoProposalStore(db: Db, timeoutMs = STORE_TIMEOUT_MS_DEFAULT): ProposalStore {
  const proposals = proposalsOf(db);
  const ask = asking(db, timeoutMs);
  // Whether it was done the first time is told by the proposal, which a caller reads.
  const write = writing(db, timeoutMs, 'once');
  return {
    add: ({ id, ...proposal }) =>
      insertIfNew(() =>
        write((bounded) => proposals.insertOne({ _id: id, ...keptOf(id, proposal) }, bounded())),
      ),
    async find(id) {
      // A decision that was answered must not be rolled back.
      const options = { ...FROM_PRIMARY, readConcern: MAJORITY_READ };
      return proposalFrom(await ask(() => proposals.findOne({ _id: id }, options)));
    },
    async list({ state, about, limit }, now, before) {
      const filter = {
        ...(before && olderThan(before)),
        ...(state === undefined ? {} : { state: state === 'expired' ? ('open' as const) : state }),
        ...(about === undefined ? {} : { 'change.about': about }),
        ...(state === 'open' ? { until: { $gt: now } } : {}),
        ...(state === 'expired' ? { until: { $lte: now } } : {}),
      };
      const options = { sort: NEWEST, limit, projection: LISTED, ...FROM_PRIMARY };
      const found = await ask(() => proposals.find(filter, options).toArray());
      return found.flatMap((each) => proposalFrom(each) ?? []);
    },
    async newestAlike(name) {
      const options = {
        sort: { number: -1 },
        ...FROM_PRIMARY,
        readConcern: MAJORITY_READ,
      } as const;
      return proposalFrom(await ask(() => proposals.findOne(below(name), options)));
    },
    async openBelow(name) {
      const filter = { ...below(name), state: 'open' as const };
      const found = await ask(() => proposals.find(filter, FROM_PRIMARY).toArray());
      return found.flatMap((each) => proposalFrom(each) ?? []);
    },
    decide: (id, decision) => write((bounded) => decideIn(db, id, decision, bounded())),
  };
}

/** Ids that are a name, a hyphen and more: `.` comes after `-`. */
const below = (name: string) => ({ _id: { $gte: `${name}-`, $lt: `${name}.` } });

function keptOf(id: string, proposal: Omit<Proposal, 'id'>): Omit<ProposalDocument, '_id'> {
  const number = proposalNumber({ id });
  if (proposal.change.about !== 'order') return { number, ...proposal };
  const expireAt = new Date(proposal.until.getTime() + REVIEW_DAYS * DAY_MS);
  return { number, expireAt, ...proposal };
}

const MAJORITY_READ = { level: 'majority' } as const;
const FROM_PRIMARY = { readPreference: 'primary' } as const;
/** A page of whole sets of rules would be hundreds of megabytes. */
const LISTED = {
  at: 1,
  by: 1,
  reason: 1,
  until: 1,
  state: 1,
  decided: 1,
  'change.about': 1,
  'change.subject': 1,
  'change.wish': 1,
  'change.replaces': 1,
  'change.ruleVersion': 1,
  'change.currency': 1,
  'change.order': 1,
  'change.payment': 1,
  'change.refusals.rule': 1,
  'change.edit.kind': 1,
  'change.edit.id': 1,
  'change.edit.condition': 1,
  'change.edit.rule.id': 1,
  'change.edit.rule.max': 1,
  'change.edit.rule.currency': 1,
} as const;
const NEWEST = { at: -1, _id: -1 } as const;

class NotDoneError extends Error {
  override readonly name = 'NotDoneError';
}

/**
 * Commits work together with its approval, if any: both or none. False where the work was not done.
 *
 * @throws UndecidedError where the proposal is not open any more
 */
export async function commitApproved(
  db: Db,
  timeoutMs: number,
  approval: Approval | undefined,
  work: (inCommit: InCommit) => Promise<boolean>,
): Promise<boolean> {
  const done = async (inCommit: InCommit): Promise<true> => {
    if (!(await work(inCommit))) throw new NotDoneError();
    if (approval === undefined) return true;
    const { proposal, decision } = approval;
    if (await decided(decideIn(db, proposal, decision, inCommit), timeoutMs)) return true;
    throw new UndecidedError('another decision of the proposal was made first');
  };
  try {
    // Where another change was just being committed, the next attempt finds it.
    return await inTransaction(db, timeoutMs, done);
  } catch (error) {
    if (error instanceof NotDoneError) return false;
    throw error;
  }
}

/** False where the proposal is not open, or has expired. */
async function decideIn(
  db: Db,
  id: string,
  decision: ProposalDecision,
  bounded: Bounded | InCommit,
): Promise<boolean> {
  const { matchedCount } = await proposalsOf(db).updateOne(
    { _id: id, state: 'open', until: { $gt: decision.at } },
    { $set: decidedBy(decision) },
    { upsert: false, ...bounded },
  );
  return matchedCount === 1;
}

function proposalFrom(found: ProposalDocument | null): Proposal | undefined {
  if (found === null) return undefined;
  const { _id: id, number: _number, expireAt: _expireAt, ...proposal } = found;
  return { id, ...proposal };
}
