import { HeadroomError } from '../../shared/errors.ts';

/** What can be wrong with a change of a subject's terms, one class per cause. Nothing was changed. */

/** There is nothing of the kind that was asked for. */
export class NoTermsError extends HeadroomError {
  override readonly name = 'NoTermsError';
  readonly code = 'NO_SUCH_TERMS';
  /** @param what what there is none of, as a phrase: `override of rule "user-day"` */
  constructor(document: string, what: string) {
    super(`${document} has no ${what}: GET /v1/subjects/{kind}/{id}/terms lists its terms`);
  }
}

/** The change is for other terms than there are: somebody else was first. */
export class TermsChangedError extends HeadroomError {
  override readonly name = 'TermsChangedError';
  readonly code = 'TERMS_CHANGED';
  /** @param now the terms as they are, as a clause: `user:u-1 has a freeze` */
  constructor(now: string, wanted: string) {
    super(`${now}, and the change is for ${wanted}; nothing was changed: read them again first`);
  }
}

/** The terms would not be asked for with every check that they are about, or mean nothing. */
export class TermsRefusedError extends HeadroomError {
  override readonly name = 'TermsRefusedError';
  readonly code = 'TERMS_REFUSED';
}
