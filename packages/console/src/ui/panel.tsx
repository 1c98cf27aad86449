import { NoAnswerError, ProblemError, UnexpectedAnswerError } from '@headroom-limits/client';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useReading } from '../words/words.tsx';
import { Given } from './text.tsx';

/** What a panel needs to know of what it shows. */
export type Asked<Data> = {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
};

/** A part of a page with a heading. */
export function Section({
  title,
  aside,
  children,
  isQuiet = false,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly isQuiet?: boolean;
}) {
  const heading = useId();
  return (
    <section className={isQuiet ? 'panel quiet' : 'panel'} aria-labelledby={heading}>
      <header className="panel-head">
        <h2 id={heading}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Shows an answer: or that it is on its way, or why there is none. What was there stays until then. */
export function Shown<Data>({
  asked,
  lines = 3,
  children,
}: {
  readonly asked: Asked<Data>;
  /** How much room is kept while it is on its way. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = asked;
  const failed = error ?? undefined;
  return (
    <>
      {failed !== undefined && <Failure error={failed} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : failed === undefined && <Waiting lines={lines} />}
    </>
  );
}

/** Something is on its way. */
export function Waiting({ lines }: { readonly lines: number }) {
  const { say } = useReading();
  return (
    <div className="waiting" role="status">
      <span className="unseen-label">{say('state.loading')}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="waiting-line" aria-hidden="true" />
      ))}
    </div>
  );
}

/** There is nothing, and that is well. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

/** Why a call has no answer: the problem's own sentence, and by which id logs name it. */
export function Failure({
  error,
  onRetry,
  retry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly retry?: string;
}) {
  const { say } = useReading();
  return (
    <div className="notice failed" role="alert">
      <p>
        <span className="mark" aria-hidden="true">
          !
        </span>
        <Given text={useFailureText(error)} />
      </p>
      {error instanceof ProblemError && (
        <p className="fine">
          {error.code} ·{' '}
          <span className="request">{say('state.request', { id: error.requestId })}</span>
        </p>
      )}
      {onRetry !== undefined && (
        <button type="button" className="button small" onClick={onRetry}>
          {retry ?? say('state.retry')}
        </button>
      )}
    </div>
  );
}

function useFailureText(error: unknown): string {
  const { say } = useReading();
  if (error instanceof ProblemError) return error.problem.detail;
  if (error instanceof NoAnswerError) return say('state.noAnswer');
  if (error instanceof UnexpectedAnswerError)
    return say('state.unexpected', { status: error.status });
  return error instanceof Error ? error.message : String(error);
}
