import type { FindRuleAnswer } from '@headroom-limits/client';
import { useReading } from '../../words/words.tsx';
import type { Reading } from '../../words/words.tsx';
import { WaitingChanges } from '../approvals/waiting-changes.tsx';
import type { RuleDraft } from './draft.ts';
import type { Both } from './newer.ts';
import type { RuleForm } from './rule-form.tsx';

type Name = keyof RuleDraft;

/** What the fields are called that both may have changed. */
const WORDS = {
  titleEn: 'edit.titleEn',
  titleZh: 'edit.titleZh',
  amount: 'edit.maxAmount',
  count: 'edit.maxCount',
  mode: 'rules.mode',
  from: 'field.from',
  to: 'field.until',
  rest: 'edit.rest',
} as const;

/** More than any amount has. */
const DIGITS_SHOWN = 20;

/** What whoever edits a rule must know: what else waits, what came back, and what somebody else changed, too. */
export function EditorNotices({
  form,
  stored,
  both,
  choose,
  isKept,
}: {
  readonly form: RuleForm;
  readonly stored: FindRuleAnswer | undefined;
  readonly both: Both;
  readonly choose: (name: Name, isTheirs: boolean) => void;
  /** Whether the draft was written before the page was loaded. */
  readonly isKept: boolean;
}) {
  const reading = useReading();
  const { say } = reading;
  const names = (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((name) => name in both); // its fields
  return (
    <>
      {stored !== undefined && (
        <WaitingChanges
          isMeant={({ about, rule, operation }) =>
            about === 'rules' && (rule === stored.id || operation === 'replace')
          }
        />
      )}
      {isKept && (
        <div className="notice" role="status">
          <p>{say('edit.kept')}</p>
          <button
            type="button"
            className="button small"
            onClick={() => {
              form.reset();
            }}
          >
            {say('edit.discard')}
          </button>
        </div>
      )}
      {names.map((name) => (
        <div key={name} className="notice warn" role="alert">
          <p>{say('edit.both', { field: say(WORDS[name]) })}</p>
          <pre className="scroll" tabIndex={0} aria-label={say('edit.theirs')}>
            {theirsText(both[name], reading)}
          </pre>
          <p className="run">
            {WAYS.map(([label, isTheirs]) => (
              <button
                key={label}
                type="button"
                className="button small"
                onClick={() => {
                  choose(name, isTheirs);
                }}
              >
                {say(label)}
              </button>
            ))}
          </p>
        </div>
      ))}
    </>
  );
}

/** What becomes of a field that both have changed: whether theirs stands. */
const WAYS = [
  ['edit.takeTheirs', true],
  ['edit.keepMine', false],
] as const;

function theirsText(value: Both[Name], { say, locale }: Reading): string {
  if (typeof value !== 'number') return String(value ?? '') || '–';
  return Number.isNaN(value)
    ? say('limit.noMax')
    : new Intl.NumberFormat(locale, { maximumFractionDigits: DIGITS_SHOWN }).format(value);
}
