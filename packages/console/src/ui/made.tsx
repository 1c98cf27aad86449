import type { Author } from '@headroom-limits/client';
import { useReading } from '../words/words.tsx';
import { Given, Instant, Person, personOf } from './text.tsx';

/** Who made something so, when and why. */
export function Made({
  at,
  by,
  reason,
  approvedBy,
}: Omit<Author, 'reason'> & { readonly reason?: string }) {
  const { say } = useReading();
  return (
    <p className="made">
      {reason !== undefined && <Given text={reason} />}
      <span className="fine run">
        <Person by={by} />
        {approvedBy !== undefined && (
          <span>{say('by.approved', { name: personOf(approvedBy) })}</span>
        )}
        <Instant at={at} isShort />
      </span>
    </p>
  );
}
