import type { ReactNode } from 'react';
import { useReading } from '../words/words.tsx';

/** A column: its heading, and what stands in a row. */
export type Column<Row> = {
  /** Names its cells to the style sheet. */
  readonly id: string;
  /** Empty over buttons. */
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isFigure?: boolean;
};

/** A table, an entry a line. Where there is no room for it, the cells of an entry flow. */
export function Listing<Row>({
  label,
  name = '',
  columns,
  rows,
  keyOf,
  noteOf,
}: {
  readonly label: string;
  /** Names the table to the style sheet. */
  readonly name?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** Stands below an entry, as wide as the table; undefined where there is nothing to say. */
  readonly noteOf?: (row: Row, index: number) => ReactNode | undefined;
}) {
  return (
    <div className="room">
      <table className={`listing ${name}`} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, header, isFigure }) =>
              header === '' ? (
                <td key={id} />
              ) : (
                <th key={id} scope="col" className={isFigure ? 'figures' : undefined}>
                  {header}
                </th>
              ),
            )}
          </tr>
        </thead>
        {rows.map((row, index) => {
          const note = noteOf?.(row, index);
          return (
            <tbody key={keyOf(row, index)}>
              <tr>
                {columns.map(({ id, header, cell, isFigure }) => (
                  <td key={id} data-label={header} className={isFigure ? `${id} figures` : id}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
              {note !== undefined && (
                <tr className="note">
                  <td colSpan={columns.length}>{note}</td>
                </tr>
              )}
            </tbody>
          );
        })}
      </table>
    </div>
  );
}

/** The end of a list: more of it, or that there is none. */
export function ListEnd({
  asked,
  count,
}: {
  readonly asked: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly count: number;
}) {
  const { say } = useReading();
  return (
    <p className="list-end">
      <span aria-live="polite">{say('list.count', { count })}</span>
      {asked.hasNextPage ? (
        <button
          type="button"
          className="button small"
          disabled={asked.isFetchingNextPage}
          onClick={() => void asked.fetchNextPage()}
        >
          {asked.isFetchingNextPage ? say('list.loadingMore') : say('list.more')}
        </button>
      ) : (
        <span className="fine">{say('list.end')}</span>
      )}
    </p>
  );
}
