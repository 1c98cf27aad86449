import type { ClientSession, Collection, Db } from 'mongodb';
import type { Approval, Decision, Proposal } from './proposal.ts';
import { alikeFilter, decidedUpdate, listFilter, openFilter } from './proposal-filters.ts';
import { asking } from '../../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided, isDuplicateKey } from '../../mongo/failure.ts';
import type { ProposalStore } from './proposal-store.ts';

/** Name of the collection of changes that need a second person. */
export const PROPOSALS = 'proposals';

/** A proposal as it is stored. */
type ProposalDocument = Omit<Proposal, 'id' | 'decision'> & {
  readonly _id: string;
  /** Stays `open` when a proposal expires: no call writes at that instant. */
  readonly state: 'open' | Decision['outcome'];
  readonly decided?: Omit<Decision, 'outcome'>;
};

function proposalsOf(db: Db): Collection<ProposalDocument> {
  return db.collection<ProposalDocument>(PROPOSALS);
}

/** The proposals of a database. */
export function mongoProposalStore(db: Db, timeoutMs = STORE_TIMEOUT_MS_DEFAULT): ProposalStore {
  const proposals = proposalsOf(db);
  const ask = asking(db, timeoutMs);
  return {
    async add({ id, ...proposal }) {
      const row: ProposalDocument = { _id: id, state: 'open', ...proposal };
      try {
        await ask(() => proposals.insertOne(row, {}));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async find(id) {
      // A decision that was answered must not be rolled back.
      const options = { ...FROM_PRIMARY, readConcern: { level: 'majority' } } as const;
      const found = await ask(() => proposals.findOne({ _id: id }, options));
      return found === null ? undefined : proposalFrom(found);
    },
    async list({ limit, ...query }, now) {
      const found = await ask(() =>
        proposals
          .find(listFilter(query, now), {
            sort: NEWEST,
            limit,
            projection: LISTED,
            ...FROM_PRIMARY,
          })
          .toArray(),
      );
      return found.map(proposalFrom);
    },
    async newestAlike(name) {
      const options = { sort: NEWEST, ...FROM_PRIMARY } as const;
      const found = await ask(() => proposals.findOne(alikeFilter(name), options));
      return found === null ? undefined : proposalFrom(found);
    },
    decide: (id, decision) => ask(() => decideIn(db, id, decision)),
  };
}

const FROM_PRIMARY = { readPreference: 'primary' } as const;
/** A page of whole sets of rules would be hundreds of megabytes. */
const LISTED = {
  ...{ at: 1, by: 1, reason: 1, until: 1, state: 1, decided: 1 },
  ...{ 'change.about': 1, 'change.subject': 1, 'change.wish': 1, 'change.replaces': 1 },
  'change.ruleVersion': 1,
  ...{ 'change.edit.kind': 1, 'change.edit.id': 1, 'change.edit.condition': 1 },
  'change.edit.rule.id': 1,
} as const;
const NEWEST = { at: -1, _id: -1 } as const;

/** Ends a commit without a trace: the proposal that it would approve is not open. */
export class NotOpenError extends Error {
  override readonly name = 'NotOpenError';
}

/**
 * Approves a proposal in the commit of its effect.
 *
 * @throws NotOpenError where it is not open any more
 */
export async function approveOrEnd(
  db: Db,
  { proposal, decision }: Approval,
  session: ClientSession,
  timeoutMs: number,
): Promise<void> {
  if (!(await decided(decideIn(db, proposal, decision, session), timeoutMs)))
    throw new NotOpenError();
}

async function decideIn(
  db: Db,
  id: string,
  decision: Decision,
  session?: ClientSession,
): Promise<boolean> {
  const { matchedCount } = await proposalsOf(db).updateOne(
    openFilter(id, decision.at),
    decidedUpdate(decision),
    { upsert: false, ...(session === undefined ? {} : { session }) },
  );
  return matchedCount === 1;
}

function proposalFrom({ _id: id, state, decided: decision, ...row }: ProposalDocument): Proposal {
  if (decision === undefined || state === 'open') return { id, ...row };
  return { id, ...row, decision: { ...decision, outcome: state } };
}
