import type { BacktestOutcomes } from '@headroom-limits/client';
import { useReading } from '../../words/words.tsx';
import { ENDS, moneyText } from './told.ts';

/** How newly refused orders ended: one bar, and its numbers. */
export function Outcomes({
  currency,
  outcomes,
}: {
  readonly currency: string;
  readonly outcomes: BacktestOutcomes;
}) {
  const reading = useReading();
  const { say, locale } = reading;
  const there = ENDS.filter((end) => outcomes[end].checks > 0);
  const all = there.reduce((sum, end) => sum + outcomes[end].checks, 0);
  if (all === 0) return null;
  const figure = new Intl.NumberFormat(locale);
  return (
    <>
      <h4>{say('test.outcomes')}</h4>
      {/* Its numbers stand below. */}
      <div className="track ends" aria-hidden="true">
        {there.map((end) => (
          <span
            key={end}
            className={`end-${end}`}
            style={{ width: `${(outcomes[end].checks / all) * 100}%` }}
          />
        ))}
      </div>
      <ul className="run ends">
        {there.map((end) => (
          <li key={end}>
            <span className={`swatch end-${end}`} aria-hidden="true" /> {say(`test.end.${end}`)}{' '}
            <strong>{figure.format(outcomes[end].checks)}</strong> ·{' '}
            {moneyText(outcomes[end].amount, currency, reading)}
          </li>
        ))}
      </ul>
    </>
  );
}
