import type { ReactNode } from 'react';
import { Component, Suspense } from 'react';
import { useReading } from '../words/words.tsx';
import { Failure, Waiting } from './panel.tsx';

/** A part of the page that is loaded when it is needed, or is said to be missing. */
export function Part({
  lines = 1,
  children,
}: {
  /** How much room is kept while it is on its way. */
  readonly lines?: number;
  readonly children: ReactNode;
}) {
  return (
    <Guard>
      <Suspense fallback={<Waiting lines={lines} />}>{children}</Suspense>
    </Guard>
  );
}

/** What stands in place of a part that could not be loaded: a connection was lost, or a newer console is there. */
export function Missing() {
  const { say } = useReading();
  return (
    <Failure
      error={new Error(say('state.partMissing'))}
      retry={say('signedOut.reload')}
      onRetry={() => {
        location.reload();
      }}
    />
  );
}

/** Only a class is told of what goes wrong below it. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override readonly state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    return this.state.isBroken ? <Missing /> : this.props.children;
  }
}
