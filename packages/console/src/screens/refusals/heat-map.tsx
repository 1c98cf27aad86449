import type { SummaryAnswer } from '@headroom-limits/client';
import type { ReactNode } from 'react';
import { useAsked } from '../../ui/asked.ts';
import { reasonText } from '../../ui/happenings.tsx';
import { Code } from '../../ui/text.tsx';
import { useReading } from '../../words/words.tsx';
import { hoursOf } from './hours.ts';

/** The deepest colour of an hour: text on it stays readable. */
const PERCENT_MAX = 45;

/** What refused how often, and in which hour. A rule or a reason, and an hour, choose what the list below has. */
export function HeatMap({ day }: { readonly day: SummaryAnswer }) {
  const { say, locale } = useReading();
  const { refusals, refused, timeZone, date } = day;
  const hours = hoursOf(day, locale);
  const most = Math.max(...refusals.flatMap(({ hourly }) => hourly));
  const largest = Math.max(...refusals.map(({ count }) => count));
  const figure = new Intl.NumberFormat(locale);
  return (
    <>
      <p>
        <strong>{say('refusals.total', { count: refused })}</strong>{' '}
        <span className="fine">{say('refusals.chartCounts', { zone: timeZone })}</span>
      </p>
      <table className="heat" aria-label={say('refusals.label', { date })}>
        <thead>
          <tr>
            <th scope="col">{say('field.rule')}</th>
            <th scope="col">{say('refusals.checks')}</th>
            {hours.map(({ name }) => (
              <th key={name} scope="col" className="hour">
                {name.replace(':00', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {refusals.map(({ rule, reason = '', count, hourly }) => (
            <tr key={rule ?? reason}>
              <th scope="row">
                <Choose rule={rule} reason={reason} label={rule ?? reasonText(reason, say)}>
                  {rule === undefined ? reasonText(reason, say) : <Code text={rule} />}
                </Choose>
              </th>
              <td className="total">
                <div className="measure">
                  <span className="track over">
                    <span className="used" style={{ width: `${(count / largest) * 100}%` }} />
                  </span>
                  <span className="figure">{figure.format(count)}</span>
                </div>
              </td>
              {hours.map(({ name }, index) => {
                const checks = hourly[index] ?? 0;
                const percent = Math.ceil((checks / most) * PERCENT_MAX);
                const color = `color-mix(in srgb, var(--over) ${percent}%, transparent)`;
                return (
                  <td key={name} className="hour" style={{ backgroundColor: color }}>
                    {checks > 0 && (
                      <Choose
                        rule={rule}
                        reason={reason}
                        hour={name}
                        label={`${rule ?? reasonText(reason, say)}, ${name}: ${figure.format(checks)}`}
                      >
                        {figure.format(checks)}
                      </Choose>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Chooses what the list below has, and takes the choice back. */
function Choose({
  rule,
  reason,
  hour,
  label,
  children,
}: {
  readonly rule: string | undefined;
  /** Where it is no rule. */
  readonly reason: string;
  readonly hour?: string;
  readonly label: string;
  readonly children: ReactNode;
}) {
  const [asked, change] = useAsked();
  const cause = { rule, reason: rule === undefined ? reason : undefined };
  const isChosen =
    asked.rule === cause.rule && asked.reason === cause.reason && asked.hour === hour;
  return (
    <button
      type="button"
      className="plain"
      aria-label={label}
      aria-pressed={isChosen}
      onClick={() => {
        change(
          isChosen ? { rule: undefined, reason: undefined, hour: undefined } : { ...cause, hour },
        );
      }}
    >
      {children}
    </button>
  );
}
