import { HeadroomError } from '../shared/errors.ts';

/** What can be wrong with a change of the rules, one class per cause. Nothing was changed. */

/** There is no rule of this id. */
export class NoSuchRuleError extends HeadroomError {
  override readonly name = 'NoSuchRuleError';
  readonly code = 'NO_SUCH_RULE';
  constructor(id: string) {
    super(
      `there is no rule ${JSON.stringify(id)}: it never existed, or was deleted; GET /v1/rules lists all rules`,
    );
  }
}

/** What is to be changed is not what the change was made for: somebody else was first. */
export class RuleChangedError extends HeadroomError {
  override readonly name = 'RuleChangedError';
  readonly code = 'RULE_CHANGED';
  /** @param found what there is, as a phrase: `rule "a" is at version 3` */
  constructor(found: string, wanted: string) {
    super(`${found}, and the change is for ${wanted}; nothing was changed: read it again first`);
  }
}

/** The change does not say for which version it was made, so it might undo somebody else's. */
export class VersionRequiredError extends HeadroomError {
  override readonly name = 'VersionRequiredError';
  readonly code = 'VERSION_REQUIRED';
  /** @param found what there is, as a phrase: `rule "a" is at version 3` */
  constructor(found: string, version: number) {
    super(
      `${found}; nothing was changed: read it, then send If-Match: "${version}" with the change`,
    );
  }
}
