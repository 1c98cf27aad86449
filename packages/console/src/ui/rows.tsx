import type { ReactNode } from 'react';
import { useReading } from '../words/words.tsx';

/** Rows of a form that come and go. */
export function Rows({
  title,
  help,
  count,
  row,
  addWord,
  onAdd,
  onRemove,
  children,
}: {
  readonly title: string;
  readonly help?: string;
  readonly count: number;
  /** The fields of a row, by its place. */
  readonly row: (index: number) => ReactNode;
  readonly addWord: string;
  readonly onAdd: () => void;
  readonly onRemove: (index: number) => void;
  /** What stands below the rows. */
  readonly children?: ReactNode;
}) {
  const { say } = useReading();
  return (
    <fieldset className="rows">
      <legend className="label">{title}</legend>
      {help !== undefined && <p className="fine">{help}</p>}
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="row-of">
          {row(index)}
          <button
            type="button"
            className="plain"
            onClick={() => {
              onRemove(index);
            }}
          >
            {say('edit.remove')}
          </button>
        </div>
      ))}
      {children}
      <button type="button" className="button small" onClick={onAdd}>
        {addWord}
      </button>
    </fieldset>
  );
}
