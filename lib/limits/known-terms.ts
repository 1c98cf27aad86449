import type { DocumentView } from '../document/document.ts';
import type { Terms } from '../rule/own-terms.ts';

/** Subjects with terms, and overrides, remembered at a time: up to 2 kB each. What was learned first goes first. */
const KNOWN_MAX = 20_000;

/**
 * The terms that documents had when they were last seen. They may be out of date: the statement that decides
 * asks each document whether its terms are still the same, and the check begins again where they are not.
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
      if (this.#size <= KNOWN_MAX) break;
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
