import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '../../session.tsx';
import { EffectOverTime } from '../../ui/effect-over-time.tsx';
import { Failure } from '../../ui/panel.tsx';
import { UNCLEAR } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';
import type { ChangeAbout, Draft, Wish } from './change-call.ts';
import { dated, sendChange } from './change-call.ts';

/** People type for so long before it is worth asking. */
const TYPING_MS = 400;

/** What the change would do now and later, as the server works it out, while it is written. */
export function ChangePreview({
  wish,
  about,
  draft,
  nowMs,
}: {
  readonly wish: Wish;
  readonly about: ChangeAbout;
  readonly draft: Omit<Draft, 'reason'>;
  readonly nowMs: () => number;
}) {
  const { say } = useReading();
  const { client, actor } = useSession();
  const { kind, id } = about.subject;
  const asked = JSON.stringify([wish, about, draft]);
  const sums = [draft.amount, draft.count];
  const isWritten = sums.some((sum) => !Number.isNaN(sum)) && !sums.includes(UNCLEAR);
  const isAsked = wish !== 'override' || isWritten;
  const settled = useSettled(asked, TYPING_MS);
  const { data, error } = useQuery({
    queryKey: ['subject', kind, id, 'try', settled],
    queryFn: ({ signal }) => {
      const full = dated({ ...draft, reason: say('effect.preview') }, nowMs());
      return sendChange(client, wish, { ...about, draft: full, actor, signal });
    },
    enabled: isAsked && settled === asked,
  });
  if (!isAsked) return null;
  if (error !== null) return <Failure error={error} />;
  if (data?.effect === undefined || settled !== asked) return null;
  const needsSecond = 'needsSecondPerson' in data && data.needsSecondPerson;
  return (
    <section aria-label={say('effect.preview')}>
      <p className="label">{say('effect.preview')}</p>
      <EffectOverTime effect={data.effect} />
      {needsSecond && <p className="fine">{say('change.needsSecond')}</p>}
    </section>
  );
}

/** A value once it has stayed the same for a while. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      settle(value);
    }, ms);
    return () => {
      clearTimeout(timer);
    };
  }, [value, ms]);
  return settled;
}
