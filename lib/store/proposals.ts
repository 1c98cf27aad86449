import type { ClientSession, Collection, Db } from 'mongodb';
import type { Approval, Decision, Proposal, ProposedChange } from '../domain/proposal.ts';
import { ruleIdOf } from '../domain/rule-edit.ts';
import { documentId } from '../domain/subject.ts';
import { decidedUpdate, listFilter, openFilter } from '../pipeline/proposals.ts';
import { whenConnected } from './client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from './failure.ts';
import type { ProposalStore } from './proposal-store.ts';

/** Name of the collection of changes that need a second person. */
export const PROPOSALS = 'proposals';

/** A proposal as it is stored. */
type ProposalDocument = Omit<Proposal, 'id' | 'decision'> & {
  readonly _id: string;
  /** What it would change: `rules`, `rule user-day`, `user:u-1`. */
  readonly target: string;
  /** `open` also of one that has lapsed: nobody is there to write that. */
  readonly state: 'open' | Decision['outcome'];
  readonly decided?: Omit<Decision, 'outcome'>;
};

function proposalsOf(db: Db): Collection<ProposalDocument> {
  return db.collection<ProposalDocument>(PROPOSALS);
}

/** The proposals of a database. */
export function mongoProposalStore(db: Db, timeoutMs = STORE_TIMEOUT_MS_DEFAULT): ProposalStore {
  const proposals = proposalsOf(db);
  const ask = <T>(work: () => Promise<T>): Promise<T> =>
    decided(whenConnected(db.client, work), timeoutMs);
  return {
    async add({ id, ...proposal }) {
      const target = targetOf(proposal.change);
      const row: ProposalDocument = { _id: id, target, state: 'open', ...proposal };
      await ask(() => proposals.insertOne(row, {}));
    },
    async find(id) {
      // What is told as decided must not be rolled back.
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
    async openAlike({ change, at }) {
      const filter = { ...listFilter({ state: 'open' }, at), target: targetOf(change) };
      const found = await ask(() =>
        proposals.find(filter, { sort: NEWEST, limit: ALIKE_MAX, ...FROM_PRIMARY }).toArray(),
      );
      return found.map(proposalFrom);
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
/** Open proposals about the same, the newest, that are looked at for a repeat. */
const ALIKE_MAX = 20;

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

function targetOf(change: ProposedChange): string {
  if (change.about === 'terms') return documentId(change.subject.kind, change.subject.id);
  const rule = ruleIdOf(change.edit);
  return rule === undefined ? 'rules' : `rule ${rule}`;
}

function proposalFrom(row: ProposalDocument): Proposal {
  const { _id: id, state, decided: decision, change, at, by, reason, until } = row;
  return {
    ...{ id, change, at, by, until },
    ...(reason === undefined ? {} : { reason }),
    ...(decision === undefined || state === 'open'
      ? {}
      : { decision: { ...decision, outcome: state } }),
  };
}
