/** What must be true of the instant at which a document may be deleted: nothing in it matters any more. */
import { MEMORY_MS } from '../../lib/shared/bounds.ts';
import { Broken } from './broken.ts';
import { turnsOf } from './room.ts';
import { allDocuments } from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored } from './stored.ts';
import { bucketsOf, expireAtOf, holdsOf, keptOf, outcomesOf, termsOf } from './stored.ts';

/** A document is dated by the time that was read, and a step here comes later than any that is waited for. */
const READ_BEFORE_MS = 600_000;

/** Compares when documents go with what is in them. */
export class DeletionWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  /** By document: what it remembered, and until when it must. */
  readonly #remembered = new Map<string, ReadonlySet<string>>();
  readonly #until = new Map<string, number>();
  readonly #before = new Map<string, Stored | undefined>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#names = allDocuments(stage.scene);
  }

  look(): void {
    for (const name of this.#names) {
      const stored = this.#stage.documents.get(name);
      const before = this.#before.get(name);
      if (stored === before) continue;
      this.#before.set(name, stored);
      if (stored !== undefined) this.#compare(name, stored);
      else if (before !== undefined) this.#forget(name, before);
    }
  }

  #compare(name: string, stored: Stored): void {
    const expireAt = expireAtOf(stored)?.getTime();
    if (expireAt === undefined) throw new Broken('never deleted', name);
    const now = this.#stage.clockOf(name).getTime();
    const known = new Set(outcomesOf(stored).map(({ nonce, state }) => `${state} ${nonce}`));
    const isMore = [...known].some((one) => this.#remembered.get(name)?.has(one) !== true);
    this.#remembered.set(name, known);
    if (isMore) this.#until.set(name, now + MEMORY_MS - READ_BEFORE_MS);
    const needed = this.#neededUntil(name, stored);
    if (expireAt < needed)
      throw new Broken(
        'deleted too soon',
        `${name} at ${new Date(expireAt).toISOString()}, needed until ${new Date(needed).toISOString()}`,
      );
  }

  /** What is deleted may be deleted by a clock that is ahead of the document's. */
  #forget(name: string, before: Stored): void {
    this.#remembered.delete(name);
    const now = this.#stage.clockOf(name).getTime();
    const ahead = this.#stage.scene.deletionAheadMs ?? 0;
    const needed = Math.max(
      0,
      (this.#until.get(name) ?? 0) - ahead,
      ...holdsOf(before).map(({ until }) => until.getTime()),
      ...bucketsOf(before).map(({ until }) => until),
      ...turnsOf(termsOf(before)).map((at) => at.getTime()),
    );
    this.#until.delete(name);
    if (now < needed) throw new Broken('deleted, though something in it matters', name);
  }

  #neededUntil(name: string, stored: Stored): number {
    const { freeze, overrides = [] } = termsOf(stored) ?? {};
    const terms = [...(freeze === undefined ? [] : [freeze]), ...overrides];
    return Math.max(
      this.#until.get(name) ?? 0,
      ...holdsOf(stored).map(({ until }) => until.getTime() + MEMORY_MS - READ_BEFORE_MS),
      ...keptOf(stored).map(({ until }) => until.getTime() + MEMORY_MS - READ_BEFORE_MS),
      ...bucketsOf(stored).map(({ until }) => Math.min(FOR_EVER, until + BEYOND_MS)),
      ...terms.map(({ until }) =>
        until === undefined ? FOR_EVER : Math.min(FOR_EVER, until.getTime() + BEYOND_MS),
      ),
    );
  }
}

const FOR_EVER = Date.UTC(9999, 11, 31);

/** The clock that deletes may be ahead of the one that decides by as much as a document's time bridges. */
const BEYOND_MS = 60_000;
