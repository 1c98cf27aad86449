import { NoAnswerError, ProblemError, UnexpectedAnswerError } from '@headroom-limits/client';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { useReading } from '../words/words.tsx';
import { Given, Mark } from './text.tsx';

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
  isInert = false,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  /** Whether it is only looked at. */
  readonly isInert?: boolean;
  readonly children: ReactNode;
}) {
  const heading = useId();
  return (
    <section className="panel" aria-labelledby={heading} inert={isInert}>
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
  unaddressed,
  children,
}: {
  readonly asked: Asked<Data>;
  /** How much room is kept while it is on its way. */
  readonly lines?: number;
  /** What to do where no address can hold the id. */
  readonly unaddressed?: string;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = asked;
  const failed = error ?? undefined;
  return (
    <>
      {failed !== undefined && (
        <Failure error={failed} unaddressed={unaddressed} onRetry={() => void refetch()} />
      )}
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
  unaddressed,
  onRetry,
  retry,
}: {
  readonly error: unknown;
  readonly unaddressed?: string | undefined;
  readonly onRetry?: () => void;
  readonly retry?: string;
}) {
  const { say } = useReading();
  return (
    <div className="notice failed" role="alert">
      <p>
        <Mark />
        <Given text={useFailureText(error)} />
        {isUnaddressed(error) && unaddressed !== undefined && <> {unaddressed}</>}
      </p>
      {error instanceof ProblemError && (
        <p className="fine">
          {error.code} ·{' '}
          <span className="request">{say('state.request', { id: error.requestId })}</span>
        </p>
      )}
      {onRetry !== undefined && !isUnaddressed(error) && (
        <button type="button" className="button small" onClick={onRetry}>
          {retry ?? say('state.retry')}
        </button>
      )}
    </div>
  );
}

/** The client sent nothing: an id of `.` or `..`, say, is lost from every URL. */
function isUnaddressed(error: unknown): boolean {
  return error instanceof TypeError && error.message.includes('cannot stand in a path');
}

function useFailureText(error: unknown): string {
  const { say } = useReading();
  if (error instanceof ProblemError) return error.problem.detail;
  if (error instanceof NoAnswerError) return say('state.noAnswer');
  if (error instanceof UnexpectedAnswerError)
    return say('state.unexpected', { status: error.status });
  if (isUnaddressed(error)) return say('state.unaddressed');
  return error instanceof Error ? error.message : String(error);
}
