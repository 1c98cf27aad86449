import type { DocumentView } from '../../limits/document/document.ts';
import type { Terms } from './terms.ts';

/** Subjects with terms that are remembered at a time; the one that was learned first goes first. */
const SUBJECTS_MAX = 10_000;

/** The most that all of them may have, a subject and each override being one: up to 2 kB each in memory. */
const KNOWN_MAX = 20_000;

/**
 * The terms that documents had when they were last seen. Subjects without any are not in it.
 *
 * What is known may be out of date: a check asks each document whether its terms are still the same, in
 * the statement that decides, and begins again where they are not.
 */
export class KnownTerms {
  readonly #known = new Map<string, Terms>();
  #size = 0;

  of(documentId: string): Terms | undefined {
    return this.#known.get(documentId);
  }

  learn(documentId: string, { terms }: Pick<DocumentView, 'terms'>): void {
    this.#forget(documentId);
    if (terms === undefined) return;
    this.#known.set(documentId, terms);
    this.#size += sizeOf(terms);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= SUBJECTS_MAX && this.#size <= KNOWN_MAX) break;
      this.#forget(oldest);
    }
  }

  #forget(documentId: string): void {
    const terms = this.#known.get(documentId);
    if (terms === undefined) return;
    this.#known.delete(documentId);
    this.#size -= sizeOf(terms);
  }
}

function sizeOf({ overrides }: Terms): number {
  return 1 + overrides.length;
}
