import { lazy } from 'react';
import { useReading } from '../words/words.tsx';
import { Part } from './part.tsx';

/** Bars beside each other. */
export type ChartOptions = {
  /** In what its figures are, and whose days or hours they are of. */
  readonly unit: string;
  readonly names: readonly string[];
  readonly series: { readonly name: string; readonly values: readonly number[] };
  /** Writes a figure, shortly for an axis. */
  readonly write: (value: number, isShort?: boolean) => string;
  /** A maximum. */
  readonly line?: { readonly name: string; readonly value: number };
};

const Drawing = lazy(() => import('./drawing.tsx'));

/** A chart, and the same as a table. */
export function Chart({
  options,
  label,
  heading,
}: {
  readonly options: ChartOptions;
  readonly label: string;
  /** Of the first column of the table. */
  readonly heading: string;
}) {
  const { say } = useReading();
  const { names, series, write, unit } = options;
  const told = names.map((name, row) => [name, series.values[row] ?? 0] as const);
  return (
    <figure className="chart">
      <figcaption>{unit}</figcaption>
      <Part lines={5}>
        <Drawing options={options} label={label} />
      </Part>
      <details className="as-table">
        <summary>{say('use.table')}</summary>
        <div className="scroll" tabIndex={0} role="group" aria-label={label}>
          <table>
            <thead>
              <tr>
                <th scope="col">{heading}</th>
                <th scope="col" className="figures">
                  {series.name}
                </th>
              </tr>
            </thead>
            <tbody>
              {told
                .filter(([, value]) => value !== 0)
                .map(([name, value]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td className="figures">{write(value)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
