import type { DocumentView } from '../domain/document.ts';
import { keepNewest } from '../domain/newest.ts';
import type { Terms } from '../domain/terms.ts';

/** Subjects with terms that are remembered at a time; the one that was learned first goes first. */
const SUBJECTS_MAX = 10_000;

/**
 * The terms that documents had when they were last seen. Subjects without any are not in it.
 *
 * What is known may be out of date: a check asks each document whether its terms are still the same, in
 * the statement that decides, and begins again where they are not.
 */
export class KnownTerms {
  readonly #known = new Map<string, Terms>();

  of(documentId: string): Terms | undefined {
    return this.#known.get(documentId);
  }

  learn(documentId: string, { terms }: Pick<DocumentView, 'terms'>): void {
    if (terms === undefined) this.#known.delete(documentId);
    else keepNewest(this.#known, documentId, terms, SUBJECTS_MAX);
  }
}
