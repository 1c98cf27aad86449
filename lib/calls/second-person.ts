import type { Authorship } from '../domain/actor.ts';
import { PROPOSAL_DAYS } from '../domain/proposal.ts';
import type { FourEyes } from '../domain/four-eyes.ts';
import { ProposalClosedError } from '../domain/proposal-errors.ts';
import type { Approval, Proposal, ProposedChange } from '../domain/proposal.ts';
import { isSameJson } from '../domain/rule-set.ts';
import type { ProposalStore } from '../store/proposal-store.ts';

/** Which changes need a second person, and where they wait for one. */
export type SecondPerson = {
  readonly fourEyes: FourEyes;
  readonly store: ProposalStore;
  /** A text that no other proposal has. */
  readonly newId: () => string;
};

const DAY_MS = 86_400_000;

/** Keeps a change for a second person. One that its author proposed before, and is open, is that one. */
export async function propose(
  { store, newId }: SecondPerson,
  change: ProposedChange,
  author: Authorship,
): Promise<Proposal> {
  const until = new Date(author.at.getTime() + PROPOSAL_DAYS * DAY_MS);
  const proposal: Proposal = { id: newId(), change, until, ...author };
  const alike = (await store.openAlike(proposal)).find(
    (one) => isSame(one.change, change) && isSame(one.by, author.by),
  );
  if (alike !== undefined) return alike;
  await store.add(proposal);
  return proposal;
}

/** @throws ProposalClosedError where it is not open: then nothing that waited for it is tried again */
export async function assertOpen(store: ProposalStore, { proposal: id }: Approval): Promise<void> {
  const proposal = await store.find(id);
  if (proposal?.decision !== undefined) throw new ProposalClosedError(proposal);
}

/** Instants are the same where their texts are. */
function isSame(one: unknown, other: unknown): boolean {
  return isSameJson(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
