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

/** A filter of few choices. The first holds where nothing is chosen, and is not in the URL. */
export function FilterChoice({
  name,
  label,
  options,
  first,
  resets = {},
  className = 'inline',
}: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly first: string;
  /** What of the URL goes with another choice. */
  readonly resets?: Readonly<Record<string, undefined>>;
  readonly className?: string;
}) {
  const [asked, change] = useAsked();
  const chosen = options.find(([value]) => value === asked[name])?.[0] ?? first;
  return (
    <label className={className}>
      <span className="label">{label}</span>
      <select
        value={chosen}
        onChange={({ target: { value } }) => {
          change({ [name]: value === first ? undefined : value, ...resets });
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
