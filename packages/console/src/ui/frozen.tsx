import { useReading } from '../words/words.tsx';
import { Given, Mark, Until } from './text.tsx';

/** Every new payment of a subject is refused: why, and until when. */
export function FrozenNotice({
  reason,
  until,
}: {
  readonly reason: string;
  readonly until: string | null;
}) {
  const { say } = useReading();
  return (
    <div className="notice failed" role="alert">
      <p>
        <Mark />
        <strong>{say('subject.frozen')}</strong> <Given text={reason} /> · <Until at={until} />
      </p>
    </div>
  );
}

/** Terms that are read again and again while somebody decides about them: a freeze must not come unseen. */
export const WATCHED = { refetchInterval: 5_000 } as const;
