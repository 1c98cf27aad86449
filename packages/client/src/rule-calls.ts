import type { RuleChangeAnswer } from './answers.ts';
import type {
  FindRuleAnswer,
  FindRuleRequest,
  ListRulesAnswer,
  RuleVersionsAnswer,
  RuleVersionsRequest,
} from './api.ts';
import type { CallOptions } from './options.ts';
import type {
  DeleteRuleRequest,
  PutRuleRequest,
  ReplaceRulesRequest,
  RuleVersions,
} from './rule-set.ts';

type Send = <Answer>(request: object, options?: CallOptions) => Promise<Answer>;

/** The calls of rules. Signed ones need the rights `rules:read` and `rules:write`. */
export class RuleCalls {
  readonly #send: Send;

  /** @param send makes a call of the function `rules` */
  constructor(send: Send) {
    this.#send = send;
  }

  /** Asks for all rules, with the version of each, and what it means in `language`. */
  list({
    language,
    ...options
  }: CallOptions & Pick<FindRuleRequest, 'language'> = {}): Promise<ListRulesAnswer> {
    return this.#send({ operation: 'list', language }, options);
  }

  /** Asks for one rule, who made it so and what it means; `NO_SUCH_RULE` where there is none. */
  find(request: FindRuleRequest, options?: CallOptions): Promise<FindRuleAnswer> {
    return this.#send({ ...request, operation: 'find' }, options);
  }

  /** Asks for a page of the changes of a rule, newest first. */
  versions(request: RuleVersionsRequest, options?: CallOptions): Promise<RuleVersionsAnswer> {
    return this.#send({ ...request, operation: 'versions' }, options);
  }

  /**
   * Makes or changes one rule. One that is there is changed only where `ifMatch` says for which version:
   * otherwise `VERSION_REQUIRED`, and `RULE_CHANGED` where somebody else was first; of a rule that was
   * made by this call, too, where its answer was lost.
   */
  put(request: PutRuleRequest, options?: CallOptions): Promise<RuleChangeAnswer> {
    return this.#send({ ...said(request), operation: 'put' }, options);
  }

  /** Deletes one rule. `NO_SUCH_RULE` where there is none, after a lost answer too. */
  delete(request: DeleteRuleRequest, options?: CallOptions): Promise<RuleChangeAnswer> {
    return this.#send({ ...said(request), operation: 'delete' }, options);
  }

  /** Puts a whole set in place; what is not in it is deleted. */
  replace(request: ReplaceRulesRequest, options?: CallOptions): Promise<RuleChangeAnswer> {
    return this.#send({ ...said(request), operation: 'replace' }, options);
  }
}

/** The request with its condition as a header says it. */
function said({ ifMatch, ...request }: { readonly ifMatch?: RuleVersions | undefined }): object {
  if (ifMatch === undefined) return request;
  const versions = ifMatch === '*' ? ifMatch : [ifMatch].flat().map((each) => `"${each}"`);
  return { ...request, ifMatch: [versions].flat().join(', ') };
}
