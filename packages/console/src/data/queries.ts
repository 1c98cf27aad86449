import type {
  BacktestOrdersRequest,
  CheckRequest,
  NearRequest,
  ProposalState,
  StatusRequest,
  Subject,
  SummaryRequest,
  TransactionsRequest,
  UsageHistoryRequest,
} from '@headroom-limits/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Session } from '../session.tsx';

/** The calls of the console, and the name under which it remembers each answer until the page is left. */

/** Rows of a page of every list. */
const PAGE = 20;

/** How every limit of a subject stands. */
export const usageOf = ({ client }: Session, { kind, id }: Subject) =>
  queryOptions({
    queryKey: ['subject', kind, id, 'usage'],
    queryFn: ({ signal }) => client.usage({ [kind]: id }, { signal }),
  });

/** The terms of a subject. */
export const termsOf = ({ client }: Session, subject: Subject) =>
  queryOptions({
    queryKey: ['subject', subject.kind, subject.id, 'terms'],
    queryFn: ({ signal }) => client.terms(subject, { signal }),
  });

/** Every change of a subject's terms. */
export const termsChangesOf = ({ client }: Session, subject: Subject) =>
  infiniteQueryOptions({
    queryKey: ['subject', subject.kind, subject.id, 'changes'],
    queryFn: ({ signal, pageParam }) =>
      client.termsChanges({ ...subject, limit: PAGE, before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The history of a subject. */
export const transactionsOf = (
  { client }: Session,
  asked: Pick<TransactionsRequest, 'decision' | 'language'> & { readonly subject: Subject },
) => {
  const { subject, ...rest } = asked;
  return infiniteQueryOptions({
    queryKey: ['subject', subject.kind, subject.id, 'transactions', rest],
    queryFn: ({ signal, pageParam }) =>
      client.transactions(
        { ...rest, subjects: { [subject.kind]: subject.id }, limit: PAGE, before: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
};

/** The sums of a subject, window by window. */
export const usageHistoryOf = ({ client }: Session, request: UsageHistoryRequest) =>
  queryOptions({
    queryKey: ['subject', ...Object.entries(request.subjects).flat(), 'history', request],
    queryFn: ({ signal }) => client.usageHistory(request, { signal }),
  });

/** The state and history of a payment. */
export const statusOf = (
  { client }: Session,
  { orderId, ...asked }: Pick<StatusRequest, 'orderId' | 'app' | 'language'>,
) =>
  queryOptions({
    queryKey: ['payment', orderId, asked],
    queryFn: ({ signal }) => client.status(orderId, { ...asked, signal }),
  });

/** The longest page that the API gives: the console puts those first who used most now. */
const NEAR_PAGE = 100;

/** Who is near a maximum. */
export const nearOf = ({ client }: Session, request: NearRequest) =>
  infiniteQueryOptions({
    queryKey: ['near', request],
    queryFn: ({ signal, pageParam }) =>
      client.near({ ...request, limit: NEAR_PAGE, next: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** Changes that wait for a second person, or did. */
export const proposalsOf = ({ client }: Session, state: ProposalState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['proposals', 'list', state],
    queryFn: ({ signal, pageParam }) =>
      client.proposals.list({ state, limit: PAGE, before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** Rows of the longest page that the API gives of proposals. */
const PROPOSALS_MAX = 100;

/** The newest changes that wait for a second person, of all subjects. */
export const openProposalsOf = ({ client }: Session) =>
  queryOptions({
    queryKey: ['proposals', 'open'],
    queryFn: ({ signal }) =>
      client.proposals.list({ state: 'open', limit: PROPOSALS_MAX }, { signal }),
  });

/** One proposal, and what it would change now. */
export const proposalOf = ({ client, actor }: Session, id: string, language: string) =>
  queryOptions({
    queryKey: ['proposals', 'one', id, language, actor],
    queryFn: ({ signal }) => client.proposals.find(id, { language, actor, signal }),
  });

/** All rules, each with its sentence. */
export const rulesOf = ({ client }: Session, language: string) =>
  queryOptions({
    queryKey: ['rules', 'all', language],
    queryFn: ({ signal }) => client.rules.list({ language, signal }),
  });

/** One rule, who made it so and what it means. */
export const ruleOf = ({ client }: Session, id: string, language: string) =>
  queryOptions({
    queryKey: ['rules', 'one', id, language],
    queryFn: ({ signal }) => client.rules.find({ id, language }, { signal }),
  });

/** Every change of a rule. */
export const ruleVersionsOf = ({ client }: Session, id: string) =>
  infiniteQueryOptions({
    queryKey: ['rules', 'one', id, 'versions'],
    queryFn: ({ signal, pageParam }) =>
      client.rules.versions({ id, limit: PAGE, before: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The answer that a check would get. */
export const dryCheckOf = ({ client }: Session, order: Omit<CheckRequest, 'orderId' | 'dryRun'>) =>
  queryOptions({
    queryKey: ['dry', order],
    queryFn: ({ signal }) =>
      client.check(
        { ...order, orderId: `console-${crypto.randomUUID()}`, dryRun: true },
        { signal },
      ),
  });

/** A day of a kind of subject: what was confirmed, and refused by what in which hour. */
export const summaryOf = ({ client }: Session, request: SummaryRequest) =>
  queryOptions({
    queryKey: ['summary', request],
    queryFn: ({ signal }) => client.summary(request, { signal }),
  });

/** Everybody's refused checks of a stretch of time. */
export const refusalsOf = (
  { client }: Session,
  asked: Pick<TransactionsRequest, 'rule' | 'reason' | 'since' | 'until' | 'language'>,
) =>
  infiniteQueryOptions({
    queryKey: ['refusals', asked],
    queryFn: ({ signal, pageParam }) =>
      client.transactions(
        { ...asked, decision: 'refused', limit: PAGE, before: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The back-tests of the last 30 days. */
export const backtestsOf = ({ client }: Session) =>
  queryOptions({
    queryKey: ['backtests', 'list'],
    queryFn: ({ signal }) => client.backtests.list({}, { signal }),
  });

/** How often a back-test that has not ended is looked at. */
const LOOK_MS = 1_000;

/** One back-test. It is looked at until it has ended. */
export const backtestOf = ({ client }: Session, id: string) =>
  queryOptions({
    queryKey: ['backtests', 'one', id],
    queryFn: ({ signal }) => client.backtests.find(id, { signal }),
    refetchInterval: ({ state: { data, error } }) =>
      error === null && (data?.state === 'waiting' || data?.state === 'running') ? LOOK_MS : false,
  });

/** Orders that a draft decides otherwise. */
export const backtestOrdersOf = (
  { client }: Session,
  asked: Pick<BacktestOrdersRequest, 'id' | 'decided' | 'replay' | 'language'>,
) =>
  infiniteQueryOptions({
    queryKey: ['backtests', 'orders', asked],
    queryFn: ({ signal, pageParam }) =>
      client.backtests.orders({ ...asked, limit: PAGE, before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The doctor's findings. It looks again when somebody asks, and not because a window is seen again. */
export const healthOf = ({ client }: Session) =>
  queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => client.health({ signal }),
    refetchOnWindowFocus: false,
  });

/** The name under which it is remembered who calls. */
export const CALLER = 'caller';

/** Rights and currencies are asked for again after so long. */
const CALLER_FRESH_MS = 60_000;

/** Who calls, what they may, and how amounts of private currencies are scaled. */
export const callerOf = ({ client, actor }: Session) =>
  queryOptions({
    queryKey: [CALLER, actor],
    queryFn: ({ signal }) => client.caller({ actor, signal }),
    staleTime: CALLER_FRESH_MS,
  });
