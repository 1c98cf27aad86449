import type {
  ApprovalRequest,
  DecisionRequest,
  Proposal,
  ProposalAnswer,
  ProposalsAnswer,
  ProposalsRequest,
} from './api.ts';
import type { CallOptions } from './options.ts';

type Send = <Answer>(request: object, options?: CallOptions) => Promise<Answer>;

/**
 * The calls of changes that wait for a second person. Signed ones need the right `rules:read`; those that
 * approve and reject need `approve`.
 */
export class ProposalCalls {
  readonly #send: Send;

  /** @param send makes a call of the function `proposals` */
  constructor(send: Send) {
    this.#send = send;
  }

  /** Asks for a page of proposals, newest first. */
  list(request: ProposalsRequest = {}, options?: CallOptions): Promise<ProposalsAnswer> {
    return this.#send({ ...request, operation: 'list' }, options);
  }

  /** Asks for one, and what it would change now; `NO_SUCH_PROPOSAL` where there is none. Its sentences are in English unless `language` says another. `actor` is who reads it: see `lookAlikes`. */
  find(
    id: string,
    {
      language,
      actor,
      ...options
    }: CallOptions & { readonly language?: string; readonly actor?: string | undefined } = {},
  ): Promise<ProposalAnswer> {
    return this.#send({ id, language, actor, operation: 'find' }, options);
  }

  /** Lets a change through: it takes effect; or an order, which may then be checked again. `WRONG_PERSON` for who made it. */
  approve(request: ApprovalRequest, options?: CallOptions): Promise<Proposal> {
    return this.#send({ ...request, operation: 'approve' }, options);
  }

  /** Does not let a change through. `WRONG_PERSON` for who made it. */
  reject(request: DecisionRequest, options?: CallOptions): Promise<Proposal> {
    return this.#send({ ...request, operation: 'reject' }, options);
  }

  /** Takes a proposal back. `WRONG_PERSON` for all but who made it. */
  withdraw(request: DecisionRequest, options?: CallOptions): Promise<Proposal> {
    return this.#send({ ...request, operation: 'withdraw' }, options);
  }
}
