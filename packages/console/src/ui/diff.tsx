import { useReading } from '../words/words.tsx';
import { Given } from './text.tsx';
import { amountText } from './written.ts';

/** What differs between two states of a thing, field by field. A sign says how, beside the colour. */
export function Diff({
  before,
  after,
  currency,
}: {
  readonly before: unknown;
  readonly after: unknown;
  readonly currency?: string | undefined;
}) {
  const { say, locale } = useReading();
  const [old, fresh] = [leavesOf(before), leavesOf(after)];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  const rows = names.filter((name) => old.get(name) !== fresh.get(name));
  if (rows.length === 0) return <p className="fine">{say('diff.same')}</p>;
  const written = (name: string, text: string | undefined) => {
    if (text === undefined) return '–';
    const isAmount = /^(max|min)\.amount(\.(?!by$)|$)/.test(name) && /^\d+$/.test(text);
    return isAmount && currency !== undefined ? (
      <span className="figure">{amountText(Number(text), currency, locale)}</span>
    ) : (
      <Given text={text} />
    );
  };
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
                <Given text={name} />
              </th>
              <td>{was === undefined ? '–' : <del>{written(name, was)}</del>}</td>
              <td>{is === undefined ? '–' : <ins>{written(name, is)}</ins>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Every text, number and the like in a thing, by its path. Lists of these stand as one. */
function leavesOf(thing: unknown, path = ''): Map<string, string> {
  if (thing === undefined || (thing === null && !path.startsWith('max.'))) return new Map();
  if (thing === null) return new Map([[path, '∞']]);
  if (typeof thing !== 'object') return new Map([[path, `${thing as string | number | boolean}`]]); // of JSON
  if (Array.isArray(thing) && thing.every((each) => typeof each !== 'object'))
    return new Map([[path, thing.join(', ')]]);
  return new Map(
    Object.entries(thing).flatMap(([name, value]) => [
      ...leavesOf(value, path === '' ? name : `${path}.${name}`),
    ]),
  );
}
