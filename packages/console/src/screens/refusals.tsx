import type { SummaryAnswer } from '@headroom-limits/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { refusalsOf, summaryOf } from '../data/queries.ts';
import { useSession } from '../session.tsx';
import { useAsked } from '../ui/asked.ts';
import { DayField } from '../ui/date-field.tsx';
import { FilterChoice, FilterText } from '../ui/filter.tsx';
import { Happenings, REASONS, reasonText } from '../ui/happenings.tsx';
import { ListEnd } from '../ui/listing.tsx';
import { Empty, Section, Shown } from '../ui/panel.tsx';
import { localZone } from '../ui/written.ts';
import type { Say } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';
import { HeatMap } from './refusals/heat-map.tsx';
import { hoursOf } from './refusals/hours.ts';

/** The kind whose orders are summed up, unless another is asked for. */
const FIRST_KIND = 'user';

/** What was refused on a day: by which rule, in which hour, and each check. */
export function Screen() {
  const { say } = useReading();
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
        <DayField
          label={say('refusals.day')}
          value={date ?? summary.data?.date ?? ''}
          onChange={(day) => {
            change({ date: day || undefined, hour: undefined });
          }}
        />
        <FilterText name="zone" label={say('refusals.zone')} otherwise={localZone()} />
      </div>
      <Section
        title={say('refusals.chart', { kind })}
        aside={<FilterText name="kind" label={say('field.kind')} otherwise={FIRST_KIND} />}
      >
        <Shown asked={summary} lines={5}>
          {(day) =>
            day.refused === 0 ? (
              <Empty>{say('refusals.emptyKind', { kind })}</Empty>
            ) : (
              <HeatMap day={day} />
            )
          }
        </Shown>
      </Section>
      {summary.data !== undefined && <Refused day={summary.data} />}
    </>
  );
}

/** The checks that were refused on a day, or in an hour of it. */
function Refused({ day }: { readonly day: SummaryAnswer }) {
  const { say, locale, language } = useReading();
  const [{ rule, reason: said, hour: asked }] = useAsked();
  const reason = REASONS.find((each) => each === said);
  const hours = hoursOf(day, locale);
  const hour = hours.find(({ name }) => name === asked);
  const [since, until] = [hour?.start ?? day.start, hour?.end ?? day.end];
  const rows = useInfiniteQuery(refusalsOf(useSession(), { since, until, language, rule, reason }));
  return (
    <Section
      title={titleOf(rule, reason, say)}
      aside={
        <div className="filters">
          <FilterText name="rule" label={say('field.rule')} />
          <FilterChoice
            {...{ name: 'hour', first: '', className: 'field narrow' }}
            label={say('refusals.hour')}
            options={[['', say('field.any')], ...hours.map(({ name }) => [name, name] as const)]}
          />
        </div>
      }
    >
      <Shown asked={rows} lines={6}>
        {({ pages }) => {
          const told = pages.flatMap(({ transactions }) => transactions);
          if (told.length === 0)
            return (
              <Empty>
                {hour !== undefined
                  ? say('refusals.emptyHour')
                  : reason !== undefined
                    ? say('refusals.emptyBecause')
                    : rule === undefined
                      ? say('refusals.empty')
                      : say('refusals.emptyOf', { rule })}
              </Empty>
            );
          return (
            <>
              <Happenings
                label={say('refusals.list')}
                rows={told}
                columns={['time', 'subjects', 'order', 'type', 'app', 'amount', 'refusedBy']}
                zone={day.timeZone}
              />
              <ListEnd asked={rows} count={told.length} />
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

function titleOf(rule: string | undefined, reason: string | undefined, say: Say): string {
  if (reason !== undefined) return say('refusals.listBecause', { reason: reasonText(reason, say) });
  return rule === undefined ? say('refusals.list') : say('refusals.listOf', { rule });
}
