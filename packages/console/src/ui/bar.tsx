import { useReading } from '../words/words.tsx';
import { shareText } from './written.ts';

/** How much of a maximum is used, held, and would be taken by what is asked. */
export function Bar({
  name,
  used,
  held,
  asked,
  max,
  share,
  tone,
}: {
  readonly name: string;
  /** Below zero where payments lowered it. */
  readonly used: number;
  readonly held: number;
  readonly asked: number;
  readonly max: number;
  /** Used and held, of the maximum. */
  readonly share: number;
  readonly tone: string;
}) {
  const { say, locale } = useReading();
  const taken = Math.max(0, used + held);
  const whole = Math.max(max, taken + asked, 1);
  const width = (value: number) => ({ width: `${(value / whole) * 100}%` });
  const text = shareText(share, locale);
  // What is held fills first what payments lowered below zero.
  const heldAbove = Math.min(held, taken);
  // Nothing is nothing's whole: a maximum of zero is full.
  const usedAbove = max === 0 && share >= 1 ? whole : taken - heldAbove;
  return (
    <div className="measure">
      <div
        className={`track ${tone}`}
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(taken, max)}
        aria-valuetext={say('limit.share', { share: text })}
      >
        <span className="used" style={width(usedAbove)} />
        <span className="held" style={width(heldAbove)} />
        <span className="asked" style={width(asked)} />
        {whole > max && <span className="end" style={{ left: `${(max / whole) * 100}%` }} />}
      </div>
      <span className="figure">{text}</span>
    </div>
  );
}
