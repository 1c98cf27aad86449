import type { BacktestOrder, BacktestResult } from '@headroom-limits/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { backtestOrdersOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { FilterChoice } from '../../ui/filter.tsx';
import type { Column } from '../../ui/listing.tsx';
import { ListEnd, Listing } from '../../ui/listing.tsx';
import { Empty, Shown } from '../../ui/panel.tsx';
import { Instant, OrderLink, RuleLink, Sentence, SubjectLinks } from '../../ui/text.tsx';
import type { Reading } from '../../words/words.tsx';
import { useReading } from '../../words/words.tsx';
import type { Replay } from './told.ts';
import { changedIn, DECIDED, firstDecided, moneyText } from './told.ts';

/** So many orders of each kind are kept. */
const KEPT = 1_000;

/** The orders that a draft decides otherwise, each with its sentence. */
export function ChangedOrders({
  id,
  replay,
  zone,
  result,
}: {
  readonly id: string;
  readonly replay: Replay;
  readonly zone: string;
  readonly result: BacktestResult;
}) {
  const reading = useReading();
  const { say, language } = reading;
  const [{ decided: asked }] = useAsked();
  const changed = changedIn(result, replay);
  const first = firstDecided(changed);
  const decided = DECIDED.find((each) => each === asked) ?? first;
  const rows = useInfiniteQuery(backtestOrdersOf(useSession(), { id, decided, replay, language }));
  return (
    <>
      <div className="panel-head">
        <h3>{say('test.changed')}</h3>
        <FilterChoice
          {...{ name: 'decided', first }}
          label={say('test.decided')}
          options={DECIDED.map((each) => [each, say(`test.decided.${each}`)])}
        />
      </div>
      {changed[decided] > KEPT && <p className="fine">{say('test.changedMost')}</p>}
      <Shown asked={rows} lines={4}>
        {({ pages }) => {
          const told = pages.flatMap(({ orders }) => orders);
          if (told.length === 0) return <Empty>{say('test.changedNone')}</Empty>;
          return (
            <>
              <Listing
                label={say('test.changed')}
                columns={columnsIn(reading, zone)}
                rows={told}
                keyOf={({ app, orderId, at }, index) => [app, orderId, at, index].join(' ')}
                noteOf={({ sentence }) =>
                  sentence === undefined ? undefined : (
                    <p className="fine">
                      <Sentence text={sentence} />
                    </p>
                  )
                }
              />
              <ListEnd asked={rows} count={told.length} />
            </>
          );
        }}
      </Shown>
    </>
  );
}

function columnsIn(reading: Reading, zone: string): readonly Column<BacktestOrder>[] {
  const { say } = reading;
  return [
    {
      id: 'time',
      header: say('happened.time'),
      cell: ({ at }) => <Instant at={at} zone={zone} />,
    },
    {
      id: 'subjects',
      header: say('field.subjects'),
      cell: ({ subjects }) => <SubjectLinks subjects={subjects} />,
    },
    {
      id: 'order',
      header: say('payment.order'),
      cell: ({ orderId, app }) => <OrderLink {...{ orderId, app }} />,
    },
    {
      id: 'amount',
      header: say('field.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => moneyText(amount, currency, reading),
    },
    {
      id: 'refused-by',
      header: say('happened.refusedBy'),
      cell: ({ rules }) => (
        <span className="run">
          {rules.map((rule) => (
            <RuleLink key={rule} id={rule} />
          ))}
        </span>
      ),
    },
  ];
}
