import type { RuleUsage, Subject, UsageHistoryAnswer } from '@headroom-limits/client';
import { isProblemError } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usageHistoryOf } from '../../data/queries.ts';
import { useSession } from '../../session.tsx';
import { useAsked } from '../../ui/asked.ts';
import { Chart } from '../../ui/chart.tsx';
import { FilterChoice } from '../../ui/filter.tsx';
import { Empty, Section, Shown } from '../../ui/panel.tsx';
import { dayText, localZone, zoneOf } from '../../ui/written.ts';
import type { Reading } from '../../words/words.tsx';
import { useReading } from '../../words/words.tsx';
import { currenciesOf, optionsOf } from './use-chart.ts';

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
  const hasZone = rule !== undefined && zoneOf(rule.window) !== undefined;
  const zone = hasZone ? undefined : localZone();
  const history = useQuery(
    usageHistoryOf(useSession(), {
      subjects: { [subject.kind]: subject.id },
      rule: rule?.rule,
      last,
      zone,
    }),
  );
  return (
    <Section
      title={say('use.title')}
      aside={
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
      }
    >
      {isTooMany(history.error) ? (
        <Empty>{say('use.tooMany')}</Empty>
      ) : (
        <Shown asked={history} lines={5}>
          {(answer) => <Drawn answer={answer} rule={rule} reading={reading} />}
        </Shown>
      )}
    </Section>
  );
}

/** The windows of a rule are more than the API tells of: of a rule by the minute, always. */
function isTooMany(error: unknown): boolean {
  return (
    isProblemError(error, 'INVALID_REQUEST') &&
    error.problem.errors.some(({ path }) => path === 'last')
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
  const dayOf = (window = first): string =>
    dayText(window?.start ?? answer.now, locale, answer.timeZone);
  const label = { from: dayOf(first), to: dayOf(last) };
  return (
    <div className="charts">
      {currencies.map((currency) => {
        const options = optionsOf(answer, currency, rule, reading);
        return (
          <Chart
            key={currency}
            heading={say(answer.unit === 'day' ? 'use.day' : 'use.begins')}
            label={say('use.label', { ...label, unit: options.unit })}
            options={options}
          />
        );
      })}
    </div>
  );
}
