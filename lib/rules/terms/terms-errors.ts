import { HeadroomError, errorOf } from '../../shared/errors.ts';

/** What can be wrong with a change of a subject's terms, one class per cause. Nothing was changed. */

/** There is nothing of the kind that was asked for. */
export class NoSuchTermsError extends errorOf(
  'NO_SUCH_TERMS',
  (document: string, what: string) =>
    `${document} has no ${what}: GET /v1/subjects/{kind}/{id}/terms lists its terms`,
) {}

/** The change is for other terms than there are: somebody else was first. */
export class TermsChangedError extends errorOf(
  'TERMS_CHANGED',
  (now: string, wanted: string) =>
    `${now}, and the change is for ${wanted}; nothing was changed: read them again first`,
) {}

/** The terms would not be asked for with every check that they are about, or mean nothing. */
export class TermsRefusedError extends HeadroomError {
  override readonly name = 'TermsRefusedError';
  readonly code = 'TERMS_REFUSED';
}
