import type { Reasoned } from '../override.ts';
import type { Approval, Proposal } from '../four-eyes/proposal.ts';
import type { Subject } from '../../shared/subject.ts';
import type {
  ChangesQuery,
  TermsBasis,
  TermsChanged,
  TermsFound,
  TermsWish,
} from './terms-change.ts';

/** What became of a change of terms. */
export type TermsOutcome = TermsFound & {
  /** Where the change waits, because it needs a second person: nothing has changed yet. */
  readonly proposed?: Proposal;
};

/** Where subjects' terms are read and changed, and every change is kept. */
export type TermsBook = {
  readonly read: (subject: Subject, at?: Date) => Promise<TermsFound>;
  /**
   * Changes a subject's terms in one commit. The change applies to every check that begins after the
   * answer.
   *
   * @param how `approval`: the decision that makes the change, in the same commit. Without it, a change
   * that needs a second person becomes a proposal. `basis`: the terms that the author saw; default: any.
   * `expected`: the version of the terms to change, or NO_TERMS; default: any. `isFirst`: change only if
   * there is nothing, in force or in future, to replace. `dryRun`: only say whether it would be refused
   * @throws NoSuchTermsError, TermsRefusedError, TermsChangedError, UndecidedError, ProposalClosedError;
   * RuleChangedError where the rule is another than the basis says
   */
  readonly change: (
    subject: Subject,
    wish: TermsWish,
    author: Omit<Reasoned, 'at'>,
    how?: {
      readonly at?: Date | undefined;
      readonly approval?: Approval;
      readonly basis?: TermsBasis;
      readonly expected?: string | undefined;
      readonly isFirst?: boolean | undefined;
      readonly dryRun?: boolean;
    },
  ) => Promise<TermsOutcome>;
  readonly changes: (query: ChangesQuery) => Promise<readonly TermsChanged[]>;
};
