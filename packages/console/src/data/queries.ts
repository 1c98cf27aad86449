import type { Subject, TransactionsRequest, UsageHistoryRequest } from 'headroom-client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Session } from '../session.tsx';

/** What the console asks, and under which name it remembers the answer until the page is left. */

/** Rows of a page of every list. */
const PAGE = 20;

/** How every limit of a subject stands. */
export const usageOf = ({ client }: Session, { kind, id }: Subject) =>
  queryOptions({
    queryKey: ['subject', kind, id, 'usage'],
    queryFn: ({ signal }) => client.usage({ [kind]: id }, { signal }),
  });

/** What a subject has of its own. */
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

/** What happened to a subject. */
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

/** What was counted for a subject, window by window. */
export const usageHistoryOf = ({ client }: Session, request: UsageHistoryRequest) =>
  queryOptions({
    queryKey: ['subject', ...Object.entries(request.subjects).flat(), 'history', request],
    queryFn: ({ signal }) => client.usageHistory(request, { signal }),
  });

/** What became of a payment. */
export const statusOf = ({ client }: Session, orderId: string, language: string) =>
  queryOptions({
    queryKey: ['payment', orderId, language],
    queryFn: ({ signal }) => client.status(orderId, { language, signal }),
  });
