import { errorOf } from '../shared/errors.ts';

/** What can be wrong with a change of the rules, one class per cause. Nothing was changed. */

/** There is no rule of this id. */
export class NoSuchRuleError extends errorOf(
  'NO_SUCH_RULE',
  (id: string) =>
    `there is no rule ${JSON.stringify(id)}: it never existed, or was deleted; GET /v1/rules lists all rules`,
) {}

/** What is to be changed is not what the change was made for: somebody else was first. */
export class RuleChangedError extends errorOf(
  'RULE_CHANGED',
  (found: string, wanted: string) =>
    `${found}, and the change is for ${wanted}; nothing was changed: read it again first`,
) {}

/** The change does not say for which version it was made, so it might undo somebody else's. */
export class VersionRequiredError extends errorOf(
  'VERSION_REQUIRED',
  (found: string, version: number) =>
    `${found}; nothing was changed: read it, then send If-Match: "${version}" with the change`,
) {}
