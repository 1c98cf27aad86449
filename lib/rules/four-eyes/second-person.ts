import type { Authorship } from '../../shared/actor.ts';
import { CHANGES_FIRST_MAX } from '../../shared/bounds.ts';
import { fullDigestOf } from '../../shared/digest.ts';
import { UndecidedError } from '../../shared/errors.ts';
import type { FourEyes } from './four-eyes.ts';
import type { Proposal, ProposalStore, ProposedChange } from './proposal.ts';
import { PROPOSAL_DAYS, stateOf } from './proposal.ts';

/** Which changes need a second person, and where they wait for one. */
export type SecondPerson = {
  readonly fourEyes: FourEyes;
  readonly store: ProposalStore;
};

const DAY_MS = 86_400_000;

/** Letters of a digest that name what is proposed, 128 bits: nobody finds another change of the same name. */
const NAME_LENGTH = 32;

/**
 * Keeps a change for a second person. One that its author proposed before, and is open, is that one.
 *
 * An id names the change and its author, and counts those alike that were decided or have expired. So of
 * equal proposals made at once all but one find the id taken.
 */
export async function propose(
  { store }: SecondPerson,
  change: ProposedChange,
  author: Authorship,
): Promise<Proposal> {
  const name = fullDigestOf(sortedJson([change, author.by])).slice(0, NAME_LENGTH);
  const until = new Date(author.at.getTime() + PROPOSAL_DAYS * DAY_MS);
  for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
    const last = await store.newestAlike(name);
    if (last !== undefined && stateOf(last, author.at) === 'open') return last;
    const number = last === undefined ? 1 : Number(last.id.slice(name.length + 1)) + 1;
    const id = `${name}-${number}`;
    const proposal: Proposal = { id, state: 'open', change, until, ...author };
    if (await store.add(proposal)) return proposal;
  }
  throw new UndecidedError('equal proposals kept coming first, and were decided');
}

/** One text for everything that says the same: instants as texts, and fields in one order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
