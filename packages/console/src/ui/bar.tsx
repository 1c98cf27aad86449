import { useReading } from '../words/words.tsx';
import { shareText } from './written.ts';

/** How much of a maximum is used, held and left: as a bar and in figures. */
export function Bar({
  name,
  used,
  held,
  max,
  write,
  tone,
  isOfEnds = false,
}: {
  readonly name: string;
  readonly used: number;
  readonly held: number;
  /** Undefined where there is none, or it is not known. */
  readonly max: number | undefined;
  readonly write: (value: number) => string;
  readonly tone: string;
  /** The rule counts other ends than confirms: what is held may not come to count. */
  readonly isOfEnds?: boolean;
}) {
  const { say, locale } = useReading();
  const taken = used + held;
  const whole = Math.max(max ?? taken, taken, 1);
  const percent = (value: number): string => `${(value / whole) * 100}%`;
  const share = max === undefined ? undefined : shareText(max === 0 ? 1 : taken / max, locale);
  const left = max === undefined ? undefined : max - taken;
  return (
    <div className="measure">
      {max !== undefined && (
        <div
          className={`track ${tone}`}
          role="meter"
          aria-label={name}
          aria-valuemin={0}
          aria-valuemax={max}
          aria-valuenow={Math.max(0, Math.min(taken, max))}
          aria-valuetext={say('limit.share', { share: share ?? '' })}
        >
          <span className="used" style={{ width: percent(Math.max(0, used)) }} />
          <span className="held" style={{ width: percent(held) }} />
        </div>
      )}
      <dl className="figures">
        <div className="used-figure">
          <dt>{say(isOfEnds ? 'limit.counted' : 'limit.used')}</dt>
          <dd>{write(used)}</dd>
        </div>
        <div className="held-figure">
          <dt>{say(isOfEnds ? 'limit.underWay' : 'limit.held')}</dt>
          <dd>{write(held)}</dd>
        </div>
        {left !== undefined && (
          <div className="left-figure">
            <dt>{left < 0 ? say('limit.over') : say('limit.left')}</dt>
            <dd>{write(Math.abs(left))}</dd>
          </div>
        )}
        {max !== undefined && (
          <div className="max-figure">
            <dt>{share}</dt>
            <dd>{say('limit.of', { max: write(max) })}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
