import type { BacktestAnswer, StoredRule } from '@headroom-limits/client';
import { isProblemError } from '@headroom-limits/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { backtestOf, callerOf } from '../../data/queries.ts';
import type { Right } from '../../data/rights.ts';
import { useMay } from '../../data/rights.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { DayField } from '../../ui/date-field.tsx';
import { SendingProgress } from '../../ui/dialog.tsx';
import { Empty, Section, Waiting } from '../../ui/panel.tsx';
import { useSending } from '../../ui/sending.ts';
import { langOf } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';
import type { Days, TrialNote, TriedDraft } from './question.ts';
import { daysOf, dropIn, firstDays, isSameDraft, putIn, rangeOf } from './question.ts';
import { BackTestShown, Told } from './shown.tsx';
import { Tried } from './tried.tsx';

type Trial = {
  /** What is asked; undefined where it cannot be. */
  readonly draft: TriedDraft | undefined;
  /** Why it cannot. */
  readonly wrong: string;
  readonly notes: readonly TrialNote[];
  /** The time zone of the days. */
  readonly zone: string;
  /** Writes what was tried into the fields above. */
  readonly onTake?: ((rule: StoredRule) => void) | undefined;
  /** Other drafts, and fields of this one. */
  readonly children?: (ask: (draft: TriedDraft) => void) => ReactNode;
};

/** The rights that show back-tests. */
const NEEDED: readonly Right[] = ['rules:read', 'usage:read'];

/** Asks what a rule would have done in the past, and shows the answer that the address names. */
export function BackTest(trial: Trial) {
  const { say } = useReading();
  const { data: caller } = useQuery(callerOf(useSession()));
  const missing = caller && NEEDED.find((right) => !caller.rights.includes(right));
  return (
    <Section
      title={say('test.title')}
      aside={
        <Link to="/backtests" search={langOf}>
          {say('test.back')}
        </Link>
      }
    >
      {missing !== undefined ? (
        <Empty>{say('state.noRight', { right: missing })}</Empty>
      ) : caller === undefined ? (
        <Waiting lines={4} />
      ) : (
        <Asking {...trial} />
      )}
    </Section>
  );
}

/** Others must end first. */
const TOO_MANY = 'TOO_MANY_BACKTESTS';

/** The first day and the last one. */
function DayFields({ days, isRange }: { days: ReturnType<typeof useDays>; isRange: boolean }) {
  const { say } = useReading();
  return (
    <>
      <DayField
        label={say('test.from')}
        value={days.chosen.from}
        onChange={(from) => {
          days.choose({ from });
        }}
      />
      <DayField
        label={say('test.to')}
        value={days.chosen.to}
        wrong={isRange ? undefined : say('test.wrongDays')}
        onChange={(to) => {
          days.choose({ to });
        }}
      />
    </>
  );
}

function Asking({ draft, wrong, notes, zone, onTake, children }: Trial) {
  const { say } = useReading();
  const [{ test }] = useAsked();
  const days = useDays(zone);
  const asking = useAsking();
  const isRange = rangeOf(days.chosen, zone, days.openedMs) !== undefined;
  const ask = (what: TriedDraft): void => {
    if (isRange) asking.send({ draft: what, days: days.chosen, zone });
  };
  const mayAsk = useMay('rules:write');
  return (
    <div className="form">
      <p className="fine">{say('test.lead')}</p>
      {mayAsk ? (
        <>
          {children?.(ask)}
          <div className="asked-days">
            <DayFields days={days} isRange={isRange} />
            <button
              type="button"
              className="button primary"
              disabled={draft === undefined || !isRange || asking.isSending}
              onClick={() => {
                if (draft !== undefined) ask(draft);
              }}
            >
              {say('test.ask')}
            </button>
          </div>
          <p className="fine">
            {[say('test.zone', { zone }), ...notes.map((note) => say(`test.note.${note}`))].join(
              ' ',
            )}
          </p>
          {draft === undefined && <p className="fine">{wrong}</p>}
          <SendingProgress sending={asking} isDry />
          {isProblemError(asking.error, TOO_MANY) && (
            <p>
              <Link to="/backtests" search={langOf}>
                {say('test.back')}
              </Link>
            </p>
          )}
        </>
      ) : (
        <p>{say('state.noRight', { right: 'rules:write' })}</p>
      )}
      {test !== undefined && (
        <BackTestShown id={test} zone={zone}>
          {({ draft: tried }) => (
            <>
              <Tried draft={tried} />
              <OlderDraft {...{ tried, draft, onTake }} />
            </>
          )}
        </BackTestShown>
      )}
    </div>
  );
}

/** Says that a result is of another draft; without the rule is a question of its own. */
function OlderDraft({
  tried,
  draft,
  onTake,
}: Pick<Trial, 'draft' | 'onTake'> & { readonly tried: unknown }) {
  const { say } = useReading();
  const put = putIn(tried);
  const id = draft !== undefined && 'put' in draft ? draft.put.id : undefined;
  if (isSameDraft(tried, draft) || (id !== undefined && dropIn(tried) === id)) return null;
  return (
    <>
      <Told>{say('test.olderDraft')}</Told>
      {onTake !== undefined && put !== undefined && (
        <p>
          <button
            type="button"
            className="button small"
            onClick={() => {
              onTake(put);
            }}
          >
            {say('test.take')}
          </button>
        </p>
      )}
    </>
  );
}

/** The days that are chosen: at first those of the back-test that the address names, or the last thirty. */
function useDays(zone: string) {
  const [{ test = '' }] = useAsked();
  const { data } = useQuery({ ...backtestOf(useSession(), test), enabled: test !== '' });
  const [chosen, setChosen] = useState<Partial<Days>>({});
  const [openedMs] = useState(() => Date.now());
  const first = data === undefined ? firstDays(zone, openedMs) : daysOf(data, zone);
  return {
    openedMs,
    chosen: { ...first, ...chosen },
    choose: (change: Partial<Days>): void => {
      setChosen((before) => ({ ...before, ...change }));
    },
  };
}

type Question = { readonly draft: TriedDraft; readonly days: Days; readonly zone: string };

/** Asks, and then the address names the back-test. */
function useAsking() {
  const session = useSession();
  const queries = useQueryClient();
  const [, change] = useAsked();
  return useSending<Question, BacktestAnswer>(async ({ draft, days, zone }, signal) => {
    const range = rangeOf(days, zone, Date.now());
    if (range === undefined) throw new TypeError('only a range of days is asked about');
    const { client, actor } = session;
    const answer = await client.backtests.start({ ...draft, ...range, actor }, { signal });
    queries.setQueryData(backtestOf(session, answer.id).queryKey, answer);
    void queries.invalidateQueries({ queryKey: ['backtests', 'list'] });
    change({ test: answer.id, decided: undefined });
    return answer;
  });
}
