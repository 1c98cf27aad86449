import { useAsked } from './asked.ts';

/** A filter that is written: it holds when the field is left, or with Enter. */
export function FilterText({
  name,
  label,
  otherwise = '',
}: {
  readonly name: string;
  readonly label: string;
  /** What holds where nothing is written. */
  readonly otherwise?: string;
}) {
  const [asked, change] = useAsked();
  const now = asked[name] ?? otherwise;
  const take = (text: string): void => {
    const given = text.trim();
    if (given !== now) change({ [name]: given === '' || given === otherwise ? undefined : given });
  };
  return (
    <label className="field narrow">
      <span className="label">{label}</span>
      <input
        key={now}
        defaultValue={now}
        spellCheck={false}
        onBlur={({ target }) => {
          take(target.value);
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') take(currentTarget.value);
        }}
      />
    </label>
  );
}
