import type { ColumnDef, RowData } from '@tanstack/react-table';
import { FlexRender, tableFeatures, useTable } from '@tanstack/react-table';
import { useReading } from '../words/words.tsx';

const FEATURES = tableFeatures({});

/** A column: its heading, and what stands in a row. */
export type Column<Row extends RowData> = ColumnDef<typeof FEATURES, Row>;

/** A table that becomes a list of cards where there is no room for it. */
export function Listing<Row extends RowData>({
  label,
  columns,
  rows,
  keyOf,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
}) {
  const table = useTable({
    features: FEATURES,
    columns: columns,
    data: rows,
    getRowId: keyOf,
  });
  return (
    <table className="listing" aria-label={label}>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <th key={header.id} scope="col" className={classOf(header.column.columnDef)}>
                <FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id}>
            {row.getAllCells().map((cell) => (
              <td
                key={cell.id}
                data-label={headingOf(cell.column.columnDef)}
                className={classOf(cell.column.columnDef)}
              >
                <FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function headingOf({ header }: { readonly header?: unknown }): string {
  return typeof header === 'string' ? header : '';
}

/** Columns whose ids end so hold figures. */
function classOf({ id }: { readonly id?: string }): string | undefined {
  return id?.endsWith('#') === true ? 'figures' : undefined;
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
