import type { BacktestsAnswer } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { backtestsOf, ruleOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import type { Column } from '../ui/listing.tsx';
import { Listing } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { Instant, langOf, Person, RuleLink, SubjectLinks } from '../ui/text.tsx';
import { localZone, shareText } from '../ui/written.ts';
import type { Reading } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';
import { dropIn, putIn } from './back-test/question.ts';
import { BackTestShown, StateTag } from './back-test/shown.tsx';
import { Tried } from './back-test/tried.tsx';

/** Back-tests of the last days, or one of them. */
export function Screen() {
  const { say } = useReading();
  const [{ test }] = useAsked();
  return (
    <>
      {test !== undefined && (
        <p>
          <Link to="/backtests" search={langOf}>
            ← {say('test.back')}
          </Link>
        </p>
      )}
      <div className="head">
        <h1>{say('test.list')}</h1>
      </div>
      {test === undefined ? <All /> : <One id={test} />}
    </>
  );
}

function One({ id }: { readonly id: string }) {
  const { say } = useReading();
  return (
    <Section title={say('test.title')}>
      <BackTestShown id={id} zone={localZone()}>
        {({ draft }) => {
          const rule = putIn(draft)?.id ?? dropIn(draft);
          return (
            <>
              <Tried draft={draft} />
              {rule !== undefined && <ToRule rule={rule} test={id} />}
            </>
          );
        }}
      </BackTestShown>
    </Section>
  );
}

/** Leads to the page of a rule; a draft that nobody stored has none. */
function ToRule({ rule, test }: { readonly rule: string; readonly test: string }) {
  const { say } = useReading();
  const { data } = useQuery(ruleOf(useSession(), rule, 'en'));
  if (data === undefined) return null;
  return (
    <p>
      <Link to="/rules" search={(before: object) => ({ ...langOf(before), id: rule, test })}>
        {say('test.toRule')}
      </Link>
    </p>
  );
}

/** While one has not ended, all are read again after so long. */
const LOOK_MS = 3_000;

function All() {
  const reading = useReading();
  const { say } = reading;
  const asked = useQuery({
    ...backtestsOf(useSession()),
    refetchInterval: ({ state: { data, error } }) =>
      error === null && data?.backtests.some(isOpen) ? LOOK_MS : false,
  });
  return (
    <>
      <p className="lead">{say('test.listLead')}</p>
      <Section title={say('test.back')}>
        <Shown asked={asked} lines={6}>
          {({ backtests }) =>
            backtests.length === 0 ? (
              <Empty>{say('test.listEmpty')}</Empty>
            ) : (
              <Listing
                name="backtests"
                label={say('test.list')}
                columns={columnsIn(reading)}
                rows={backtests}
                keyOf={({ id }) => id}
              />
            )
          }
        </Shown>
      </Section>
    </>
  );
}

type Row = BacktestsAnswer['backtests'][number];

function isOpen({ state }: Row): boolean {
  return state === 'waiting' || state === 'running';
}

function columnsIn({ say, locale }: Reading): readonly Column<Row>[] {
  return [
    { id: 'time', header: say('test.asked'), cell: ({ at }) => <Instant at={at} isShort /> },
    {
      id: 'rule',
      header: say('field.rule'),
      cell: ({ rule }) => (rule === undefined ? say('test.wholeSet') : <RuleLink id={rule} />),
    },
    { id: 'by', header: say('test.by'), cell: ({ by }) => <Person by={by} /> },
    {
      id: 'range',
      header: say('test.range'),
      cell: ({ from, to }) => (
        <>
          <Instant at={from} isShort /> – <Instant at={to} isShort />
        </>
      ),
    },
    {
      id: 'subjects',
      header: say('test.of'),
      cell: ({ subject }) =>
        subject === undefined ? say('test.all') : <SubjectLinks subjects={subject} />,
    },
    {
      id: 'how-far',
      header: say('field.state'),
      cell: ({ state, progress }) => (
        <>
          <StateTag state={state} />{' '}
          {state === 'running' && shareText(progress.percent / 100, locale)}
        </>
      ),
    },
    {
      id: 'open',
      header: '',
      cell: ({ id, at }) => (
        <Link
          to="/backtests"
          aria-label={`${say('test.open')}: ${at}`}
          search={(before: object) => ({ ...langOf(before), test: id })}
        >
          {say('test.open')}
        </Link>
      ),
    },
  ];
}
