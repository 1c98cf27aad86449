import type { BacktestAnswer } from '@headroom-limits/client';
import { isProblemError } from '@headroom-limits/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { backtestOf, rulesOf } from '../../data/queries.ts';
import { useMay } from '../../data/rights.ts';
import { useSession } from '../../session.tsx';
import { SendingProgress } from '../../ui/dialog.tsx';
import { Shown } from '../../ui/panel.tsx';
import { useSending } from '../../ui/sending.ts';
import { Given, Instant, Mark, Person } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';
import { Result } from './result.tsx';

/** One back-test: how far it is, why it has no result, or its result. */
export function BackTestShown({
  id,
  zone,
  children,
}: {
  readonly id: string;
  readonly zone: string;
  /** What is said of its draft. */
  readonly children: (answer: BacktestAnswer) => ReactNode;
}) {
  const { say } = useReading();
  const asked = useQuery(backtestOf(useSession(), id));
  if (isProblemError(asked.error, 'NO_SUCH_BACKTEST')) return <Told>{say('test.gone')}</Told>;
  return (
    <Shown asked={asked} lines={4}>
      {(answer) => (
        <div className="back-test">
          <Head answer={answer} zone={zone} />
          {children(answer)}
          <OlderRules answer={answer} />
          <State answer={answer} />
          {answer.result !== null && <Result answer={answer} result={answer.result} zone={zone} />}
        </div>
      )}
    </Shown>
  );
}

/** What somebody must know, which is no mistake. */
export function Told({ children }: { readonly children: ReactNode }) {
  return (
    <p className="notice warn told" role="status">
      <Mark sign="▲" />
      <span>{children}</span>
    </p>
  );
}

/** How the state of a back-test looks. */
const TONES = {
  waiting: '',
  running: 'held',
  done: 'well',
  failed: 'over',
  stopped: '',
} as const;

/** The state of a back-test, in a word. */
export function StateTag({ state }: Pick<BacktestAnswer, 'state'>) {
  const { say } = useReading();
  return <span className={`state ${TONES[state]}`}>{say(`test.state.${state}`)}</span>;
}

function Head({ answer, zone }: { readonly answer: BacktestAnswer; readonly zone: string }) {
  const { say } = useReading();
  const { state, from, to, at, by, goneAt } = answer;
  return (
    <p className="run fine">
      <span role="status">
        <StateTag state={state} />
      </span>
      <span>
        <Instant at={from} zone={zone} isShort /> – <Instant at={to} zone={zone} isShort />
      </span>
      <span>
        {say('test.by')} <Person by={by} />, <Instant at={at} isShort />
      </span>
      <span>
        {say('test.keptUntil')} <Instant at={goneAt} isShort />
      </span>
    </p>
  );
}

/** Says that the rules are others now. */
function OlderRules({ answer: { revision } }: { readonly answer: BacktestAnswer }) {
  const { say, language } = useReading();
  const rules = useQuery({ ...rulesOf(useSession(), language), enabled: useMay('rules:read') });
  const now = Math.max(0, ...Object.values(rules.data?.versions ?? {}));
  return now > revision ? <Told>{say('test.olderRules')}</Told> : null;
}

function State({ answer }: { readonly answer: BacktestAnswer }) {
  const { say, locale } = useReading();
  const { state, progress, problem } = answer;
  const percent = new Intl.NumberFormat(locale, { style: 'percent' }).format(
    progress.percent / 100,
  );
  const rows = new Intl.NumberFormat(locale).format(progress.rows);
  switch (state) {
    case 'waiting':
    case 'running':
      return (
        <div className="form">
          <progress aria-label={say('test.progressLabel')} max={100} value={progress.percent} />
          <p>{say(state === 'waiting' ? 'test.waiting' : 'test.progress', { percent, rows })}</p>
          <Stop id={answer.id} />
        </div>
      );
    case 'failed':
      return (
        <div className="notice failed" role="alert">
          <p>
            <Mark /> {say('test.failed')} <Given text={problem?.detail ?? ''} />
          </p>
          <p className="fine">{problem?.code}</p>
        </div>
      );
    case 'stopped':
      return <Told>{say('test.stopped')}</Told>;
    case 'done':
      return null;
  }
}

function Stop({ id }: { readonly id: string }) {
  const { say } = useReading();
  const queries = useQueryClient();
  const session = useSession();
  const stopping = useSending<string, BacktestAnswer>(async (which, signal) => {
    const answer = await session.client.backtests.stop({ id: which }, { signal });
    queries.setQueryData(backtestOf(session, which).queryKey, answer);
    return answer;
  });
  if (!useMay('rules:write')) return null;
  return (
    <>
      <p>
        <button
          type="button"
          className="button small"
          disabled={stopping.isSending}
          onClick={() => {
            stopping.send(id);
          }}
        >
          {say('test.stop')}
        </button>
      </p>
      <SendingProgress sending={stopping} isDry />
    </>
  );
}
