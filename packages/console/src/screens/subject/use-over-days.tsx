import type { RuleUsage, Subject, UsageHistoryAnswer } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usageHistoryOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import type { ChartOptions } from '../../ui/chart.tsx';
import { Chart } from '../../ui/chart.tsx';
import { FilterChoice } from '../../ui/filter.tsx';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { amountText, dayText, localZone, majorOf } from '../../ui/written.ts';
import type { Reading } from '../../words/words.tsx';
import { useReading } from '../../words/words.tsx';

const STRETCHES = ['P7D', 'P31D', 'P12M'] as const;
const FIRST = 'P7D';

/** A chart of what was counted, day by day or month by month. */
export function UseOverDays({
  subject,
  rules,
}: {
  readonly subject: Subject;
  readonly rules: readonly RuleUsage[];
}) {
  const reading = useReading();
  const { say } = reading;
  const [{ show, last: asked }] = useAsked();
  // A rule that counts for several subjects has no history of one alone.
  const own = rules.filter(({ subjects }) => Object.keys(subjects).length === 1);
  const rule = own.find((each) => each.rule === show);
  const last = STRETCHES.find((each) => each === asked) ?? FIRST;
  const zone = rule?.window.kind !== 'calendar' ? localZone() : undefined;
  const history = useQuery(
    usageHistoryOf(useSession(), {
      ...{ subjects: { [subject.kind]: subject.id }, rule: rule?.rule, last, zone },
    }),
  );
  return (
    <Section title={say('use.title')}>
      <p className="filters">
        <FilterChoice
          {...{ name: 'show', first: '' }}
          label={say('use.rule')}
          options={[['', say('use.all')], ...own.map((each) => [each.rule, each.rule] as const)]}
        />
        <FilterChoice
          {...{ name: 'last', first: FIRST }}
          label={say('use.stretch')}
          options={[
            ['P7D', say('use.days', { count: 7 })],
            ['P31D', say('use.days', { count: 31 })],
            ['P12M', say('use.months', { count: 12 })],
          ]}
        />
      </p>
      <Shown asked={history} lines={5}>
        {(answer) => <Drawn answer={answer} rule={rule} reading={reading} />}
      </Shown>
    </Section>
  );
}

function Drawn({
  answer,
  rule,
  reading,
}: {
  readonly answer: UsageHistoryAnswer;
  readonly rule: RuleUsage | undefined;
  readonly reading: Reading;
}) {
  const { say, locale } = reading;
  const currencies = useMemo(() => currenciesOf(answer), [answer]);
  if (currencies.length === 0) return <Empty>{say('use.empty')}</Empty>;
  const [first, last] = [answer.windows[0], answer.windows.at(-1)];
  return currencies.map((currency) => {
    const options = optionsOf(answer, currency, rule, reading);
    return (
      <div key={currency}>
        <Chart
          heading={say('use.day')}
          label={say('use.label', {
            from: dayText(first?.start ?? answer.now, locale, answer.timeZone),
            to: dayText(last?.start ?? answer.now, locale, answer.timeZone),
            unit: options.unit,
          })}
          options={options}
        />
      </div>
    );
  });
}

/** Those of which something was counted; an unknown one is a hyphen. */
function currenciesOf({ windows }: UsageHistoryAnswer): readonly string[] {
  return [...new Set(windows.flatMap(({ sums }) => sums.map(({ currency }) => currency ?? '-')))];
}

function optionsOf(
  { windows, timeZone }: UsageHistoryAnswer,
  currency: string,
  rule: RuleUsage | undefined,
  reading: Reading,
): ChartOptions {
  const { say, locale, digits } = reading;
  const code = currency === '-' ? undefined : currency;
  const found = windows.map(({ sums }) => sums.find((sum) => (sum.currency ?? '-') === currency));
  const isCount = found.every((sum) => (sum?.amount ?? 0) === 0);
  const valueOf = (sum: (typeof found)[number]): number =>
    isCount ? (sum?.count ?? 0) : (sum?.amount ?? 0);
  const maximum = isCount ? rule?.max.count : rule?.max.amount;
  const unit = isCount
    ? say('use.payments')
    : code === undefined
      ? say('use.unknown')
      : say('use.in', { currency: code });
  return {
    unit: `${unit} · ${timeZone}`,
    names: windows.map(({ start }) => dayText(start, locale, timeZone)),
    hasLegend: false,
    series: [{ name: say('use.net'), values: found.map(valueOf) }],
    write: (value, isShort = false) =>
      isCount
        ? new Intl.NumberFormat(locale).format(value)
        : isShort
          ? new Intl.NumberFormat(locale, { notation: 'compact' }).format(
              majorOf(value, digits(code ?? '') ?? 0),
            )
          : amountText(value, code, reading),
    ...(maximum === undefined ? {} : { line: { name: say('use.maximum'), value: maximum } }),
  };
}
