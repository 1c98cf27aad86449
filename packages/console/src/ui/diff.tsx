import { digitsOf } from '../../../../lib/shared/currency.ts';
import type { Word } from '../words/en.ts';
import { isWord } from '../words/en.ts';
import type { Say } from '../words/words.tsx';
import { useReading } from '../words/words.tsx';
import { leavesOf } from './leaves.ts';
import { Given, Sentence } from './text.tsx';
import { amountText } from './written.ts';

/** Fields that a form calls otherwise than `edit.` and their name; conditions and maxima begin with one of them. */
const FIELDS: Readonly<Record<string, Word>> = {
  'title.en': 'edit.titleEn',
  'title.zh': 'edit.titleZh',
  title: 'edit.titleEn',
  mode: 'rules.mode',
  'window.unit': 'edit.window',
  'window.rolling': 'edit.span',
  max: 'near.maximum',
  'max.amount': 'edit.maxAmount',
  'max.count': 'edit.maxCount',
  'min.amount': 'edit.minAmount',
  'min.count': 'edit.minCount',
  match: 'edit.counts',
  from: 'field.from',
  to: 'field.until',
  until: 'field.until',
  effectiveAfter: 'field.after',
  freeze: 'terms.freeze',
};

/** What a field is called: its own words, then what of it a longer path names. */
function nameOf(path: string, say: Say): string {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('.');
    const edited = `edit.${name.replace(/^window\./, '')}`;
    const word = FIELDS[name] ?? (isWord(edited) ? edited : undefined);
    if (word !== undefined) return [say(word), ...parts.slice(length)].join(' · ');
  }
  return path;
}

const MODES = ['enforce', 'shadow', 'draft', 'retired'] as const;

/** In what the amounts of a thing are. */
type Money = { readonly currency?: string | undefined; readonly digits?: number | undefined };
/** A rule, as far as the diff knows it. */
type Told = Money & { readonly mode?: string | undefined };

/** A rule is enforced where it says no mode: who puts it on trial sees what it was. */
const whole = (rule: Told | null | undefined) => rule && { ...rule, mode: rule.mode ?? 'enforce' };

/** What differs between two states of a rule, field by field. A sign says how, beside the colour. */
export function Diff({
  before,
  after,
}: {
  readonly before: Told | null | undefined;
  readonly after: Told | null | undefined;
}) {
  const { say } = useReading();
  const [old, fresh] = [leavesOf(whole(before)), leavesOf(whole(after))];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  const rows = names.filter((name) => old.get(name) !== fresh.get(name));
  if (rows.length === 0) return <p className="fine">{say('diff.same')}</p>;
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">{say('diff.field')}</th>
          <th scope="col">{say('diff.before')}</th>
          <th scope="col">{say('diff.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((name) => {
          const [was, is] = [old.get(name), fresh.get(name)];
          const how = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
          return (
            <tr key={name} className={how}>
              <th scope="row">
                <span className="sign-of" role="img" aria-label={say(`diff.${how}`)}>
                  {{ added: '+', removed: '−', changed: '~' }[how]}
                </span>{' '}
                <Given text={nameOf(name, say)} />
              </th>
              <td>
                {was === undefined ? (
                  '–'
                ) : (
                  <del>
                    <Value name={name} text={was} money={before} />
                  </del>
                )}
              </td>
              <td>
                {is === undefined ? (
                  '–'
                ) : (
                  <ins>
                    <Value name={name} text={is} money={after} />
                  </ins>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What was asked for, field by field, where nobody knows what was before. */
export function Request({
  asked,
  currency,
}: {
  readonly asked: unknown;
  readonly currency?: string | undefined;
}) {
  const { say } = useReading();
  return (
    <table className="diff">
      <thead>
        <tr>
          <th scope="col">{say('diff.field')}</th>
          <th scope="col">{say('diff.asked')}</th>
        </tr>
      </thead>
      <tbody>
        {[...leavesOf(asked)].map(([name, text]) => (
          <tr key={name}>
            <th scope="row">
              <Given text={nameOf(name, say)} />
            </th>
            <td>
              <Value name={name} text={text} money={{ currency }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({
  name,
  text,
  money,
}: {
  readonly name: string;
  readonly text: string;
  readonly money: Money | null | undefined;
}) {
  const reading = useReading();
  const mode = name === 'mode' ? MODES.find((each) => each === text) : undefined;
  const isAmount = /^(max|min)\.amount(\.(?!by$)|$)/.test(name) && /^\d+$/.test(text);
  const { currency, digits: own } = money ?? {};
  if (!isAmount || currency === undefined)
    return <Sentence text={mode === undefined ? text : reading.say(`rules.mode.${mode}`)} />;
  // As the rule itself scales them: what the deployment knows may be of another state of it.
  const digits = own === undefined ? reading.digits : () => digitsOf(currency, own);
  return (
    <span className="figure">{amountText(Number(text), currency, { ...reading, digits })}</span>
  );
}
