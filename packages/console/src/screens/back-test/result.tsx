import type { BacktestAnswer, BacktestCurrency, BacktestResult } from '@headroom-limits/client';
import { useMemo } from 'react';
import { useAsked } from '../../ui/asked.ts';
import { Chart } from '../../ui/chart.tsx';
import { FilterChoice } from '../../ui/filter.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Given, Mark, RuleLink } from '../../ui/text.tsx';
import { dayText, instantText } from '../../ui/written.ts';
import { useReading } from '../../words/words.tsx';
import { ChangedOrders } from './changed-orders.tsx';
import { Outcomes } from './outcomes.tsx';
import type { Replay } from './told.ts';
import {
  explainedText,
  missingLines,
  moneyText,
  needsCare,
  noRuleText,
  partsLines,
  refusedByDay,
  REPLAYS,
  resultSentence,
} from './told.ts';

/** The result of a back-test: a sentence, how far it can be trusted, and then the figures. */
export function Result({
  answer: { id, freed, to },
  result,
  zone,
}: {
  readonly answer: BacktestAnswer;
  readonly result: BacktestResult;
  readonly zone: string;
}) {
  const reading = useReading();
  const { say } = reading;
  const [{ replay: asked }] = useAsked();
  const replay = REPLAYS.find((each) => each === asked) ?? 'knockOn';
  return (
    <>
      {result.currencies.map((one) => (
        <div key={one.currency}>
          <p className="sentence">
            <strong>{resultSentence(one, replay, reading)}</strong>
          </p>
          {partsLines(one, replay, reading).map((line) => (
            <p key={line}>{line}</p>
          ))}
          <Beside of={one} replay={replay} />
        </div>
      ))}
      <Trust result={result} replay={replay} />
      <p className="fine">{say(`test.limits.${freed}`)}</p>
      <p className="filters">
        <FilterChoice
          {...{ name: 'replay', first: 'knockOn' }}
          label={say('test.judged')}
          options={REPLAYS.map((each) => [each, say(`test.judged.${each}`)])}
        />
      </p>
      {result.currencies.map((one) => (
        <Figures key={one.currency} of={one} {...{ replay, to, zone }} />
      ))}
      <ChangedOrders {...{ id, replay, zone, result }} />
    </>
  );
}

/** The same by the other way to judge: one number alone misleads. */
function Beside({ of, replay }: { readonly of: BacktestCurrency; readonly replay: Replay }) {
  const { say, locale } = useReading();
  const other = replay === 'direct' ? 'knockOn' : 'direct';
  const { newlyRefused, newlyAllowed } = of[other];
  const figure = new Intl.NumberFormat(locale);
  return (
    <p className="fine">
      {say(`test.beside.${other}`, {
        refused: figure.format(newlyRefused.orders),
        allowed: figure.format(newlyAllowed.orders),
      })}
    </p>
  );
}

/** The error of the test, and what the past lacks. */
function Trust({
  result: { control, missing },
  replay,
}: {
  readonly result: BacktestResult;
  readonly replay: Replay;
}) {
  const reading = useReading();
  const { say, locale } = reading;
  const lines = missingLines(missing, reading, (at) => instantText(at, locale));
  const list = (
    <ul className="why">
      {lines.map((line) => (
        <li key={line}>
          <Given text={line} />
        </li>
      ))}
    </ul>
  );
  const explained = say('test.control', { share: explainedText(control[replay], locale) });
  if (needsCare(control))
    return (
      <div className="notice warn">
        <p>
          <Mark sign="▲" /> {explained} {say(lines.length === 0 ? 'test.careAlone' : 'test.care')}
        </p>
        {list}
      </div>
    );
  return (
    <>
      <p>{explained}</p>
      {lines.length > 0 && (
        <details>
          <summary>{say('test.known')}</summary>
          {list}
        </details>
      )}
    </>
  );
}

type FiguresOf = {
  readonly of: BacktestCurrency;
  readonly replay: Replay;
  readonly to: string;
  readonly zone: string;
};

/** The figures of a currency: days, ends and rules. */
function Figures({ of, replay, to, zone }: FiguresOf) {
  const { say } = useReading();
  const { currency } = of;
  return (
    <section
      className="figures-of"
      aria-label={currency === '' ? say('use.anyCurrency') : currency}
    >
      <h3>{currency === '' ? say('use.anyCurrency') : currency}</h3>
      <Days {...{ of, replay, to, zone }} />
      <Outcomes {...{ currency, outcomes: of[replay].outcomes }} />
      <ByRule {...{ of, replay }} />
    </section>
  );
}

function Days({ of, replay, to, zone }: FiguresOf) {
  const { say, locale } = useReading();
  const { byDay } = of[replay];
  const options = useMemo(() => {
    const days = refusedByDay(byDay, to, zone);
    return {
      unit: say('test.byDay'),
      names: days.map(({ at }) => dayText(at, locale, zone)),
      series: { name: say('test.recorded'), values: days.map(({ recorded }) => recorded) },
      beside: { name: say('test.draft'), values: days.map(({ draft }) => draft) },
      write: (value: number) => new Intl.NumberFormat(locale).format(value),
    };
  }, [byDay, to, locale, say, zone]);
  return <Chart heading={say('use.day')} label={say('test.byDay')} options={options} />;
}

function ByRule({ of, replay }: { readonly of: BacktestCurrency; readonly replay: Replay }) {
  const reading = useReading();
  const { say, locale } = reading;
  const { byRule } = of[replay];
  const figure = new Intl.NumberFormat(locale);
  return (
    <>
      <h4>{say('test.byRule')}</h4>
      {byRule.length === 0 ? (
        <Empty>{noRuleText(of[replay], reading)}</Empty>
      ) : (
        <Listing
          name="by-rule"
          label={say('test.byRule')}
          rows={byRule}
          keyOf={({ rule }) => rule}
          columns={[
            { id: 'limit', header: say('field.rule'), cell: ({ rule }) => <RuleLink id={rule} /> },
            {
              ...{ id: 'refused', header: say('test.refused'), isFigure: true },
              cell: ({ checks }) => figure.format(checks),
            },
            {
              ...{ id: 'by-itself', header: say('test.alone'), isFigure: true },
              cell: ({ alone }) => figure.format(alone),
            },
            {
              ...{ id: 'amount', header: say('field.amount'), isFigure: true },
              cell: ({ amount }) => moneyText(amount, of.currency, reading),
            },
            {
              ...{ id: 'subjects', header: say('field.subjects'), isFigure: true },
              cell: ({ subjects }) => figure.format(subjects),
            },
          ]}
        />
      )}
    </>
  );
}
