import type { SummaryAnswer } from '@headroom-limits/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { refusalsOf, summaryOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import type { ChartOptions } from '../ui/chart.tsx';
import { Chart } from '../ui/chart.tsx';
import { FilterText } from '../ui/filter.tsx';
import { Happened } from '../ui/happened.tsx';
import { ListEnd } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { localZone } from '../ui/written.ts';
import type { Reading, Say } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';

/** The kind whose orders are summed up, unless another is asked for. */
const FIRST_KIND = 'user';

/** Who was refused on a day, by which rule, in which hour. */
export function Screen() {
  const reading = useReading();
  const { say } = reading;
  const session = useSession();
  const [{ date, zone = localZone(), kind = FIRST_KIND }, change] = useAsked();
  const summary = useQuery(summaryOf(session, { kind, date, zone }));
  return (
    <>
      <div className="head">
        <h1>{say('refusals.title')}</h1>
      </div>
      <p className="lead">{say('refusals.lead')}</p>
      <div className="filters">
        <label className="field narrow">
          <span className="label">{say('refusals.day')}</span>
          <input
            type="date"
            value={date ?? summary.data?.date ?? ''}
            onChange={({ target }) => {
              change({ date: target.value === '' ? undefined : target.value });
            }}
          />
        </label>
        <FilterText name="zone" label={say('refusals.zone')} otherwise={localZone()} />
      </div>
      <div className="columns">
        <div>{summary.data !== undefined && <Refused day={summary.data} />}</div>
        <div>
          <Section
            title={say('refusals.chart', { kind })}
            aside={<FilterText name="kind" label={say('field.kind')} otherwise={FIRST_KIND} />}
          >
            <p className="fine">{say('refusals.chartCounts')}</p>
            <Shown asked={summary} lines={5}>
              {(day) => <Hours day={day} kind={kind} reading={reading} />}
            </Shown>
          </Section>
        </div>
      </div>
    </>
  );
}

function Refused({ day: { start, end, timeZone } }: { readonly day: SummaryAnswer }) {
  const { say, language } = useReading();
  const [{ rule }] = useAsked();
  const asked = { since: start, until: end, language, rule };
  const rows = useInfiniteQuery(refusalsOf(useSession(), asked));
  return (
    <Section
      title={rule === undefined ? say('refusals.list') : say('refusals.listOf', { rule })}
      aside={<FilterText name="rule" label={say('field.rule')} />}
    >
      <Shown asked={rows} lines={6}>
        {({ pages }) => {
          const told = pages.flatMap(({ transactions }) => transactions);
          if (told.length === 0)
            return (
              <Empty>
                {rule === undefined ? say('refusals.empty') : say('refusals.emptyOf', { rule })}
              </Empty>
            );
          return (
            <>
              <ol className="happenings">
                {told.map((row, index) => (
                  <Happened
                    key={`${row.requestId ?? ''} ${row.orderId} ${index}`}
                    row={row}
                    order={row}
                    subjects={row.subjects}
                    zone={timeZone}
                  />
                ))}
              </ol>
              <ListEnd asked={rows} count={told.length} />
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function Hours({
  day,
  kind,
  reading,
}: {
  readonly day: SummaryAnswer;
  readonly kind: string;
  readonly reading: Reading;
}) {
  const { say } = reading;
  const options = useMemo(() => optionsOf(day, reading), [day, reading]);
  if (day.refused === 0) return <Empty>{say('refusals.emptyKind', { kind })}</Empty>;
  return (
    <>
      <p className="summary">
        <strong>{say('refusals.total', { count: day.refused })}</strong>
      </p>
      <Chart
        heading={say('refusals.hour')}
        label={say('refusals.label', { date: day.date })}
        options={options}
      />
    </>
  );
}

const REASONS = ['no-rule', 'frozen'] as const;

/** Why a check was refused that no rule refused. */
function reasonText(reason: string, say: Say): string {
  const known = REASONS.find((each) => each === reason);
  return known === undefined ? reason : say(`refusals.reason.${known}`);
}

const HOUR_MS = 3_600_000;

function optionsOf(
  { start, timeZone, refusals }: SummaryAnswer,
  { locale, say }: Reading,
): ChartOptions {
  const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', hourCycle: 'h23', timeZone });
  const hours = refusals[0]?.hourly.length ?? 0;
  const figure = new Intl.NumberFormat(locale);
  return {
    unit: `${say('refusals.checks')} · ${timeZone}`,
    names: Array.from({ length: hours }, (_, index) =>
      hour.format(new Date(Date.parse(start) + index * HOUR_MS)),
    ),
    series: refusals.map(({ rule, reason = '', hourly }) => ({
      name: rule ?? reasonText(reason, say),
      values: hourly,
    })),
    hasLegend: true,
    write: (value) => figure.format(value),
  };
}
