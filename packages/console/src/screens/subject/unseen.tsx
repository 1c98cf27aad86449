import type { Subject, UsageAnswer } from '@headroom-limits/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { transactionsOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useReading } from '../../words/words.tsx';

/** Says that nothing is stored of a subject of a kind that rules know: most likely its id is mistyped. */
export function Unseen({
  subject,
  usage: { unseen = [], unknownKinds = [] },
}: {
  readonly subject: Subject;
  readonly usage: UsageAnswer;
}) {
  const { say, language } = useReading();
  const isUnseen = unseen.includes(subject.kind) && unknownKinds.length === 0;
  const payments = useInfiniteQuery({
    ...transactionsOf(useSession(), { subject, decision: undefined, language }),
    enabled: isUnseen,
  });
  if (!isUnseen || payments.isPending) return null;
  const [first] = payments.data?.pages ?? [];
  const isNothing = first?.transactions.length === 0;
  return (
    <div className="notice warn" role="status">
      <p>{say(isNothing ? 'subject.unknown' : 'subject.uncounted')}</p>
    </div>
  );
}
