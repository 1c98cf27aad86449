import { lazy } from 'react';
import { useReading } from '../words/words.tsx';
import { Part } from './part.tsx';

type Series = { readonly name: string; readonly values: readonly number[] };

/** Bars beside each other. */
export type ChartOptions = {
  /** In what its figures are, and whose days or hours they are of. */
  readonly unit: string;
  readonly names: readonly string[];
  readonly series: Series;
  /** Drawn beside them. */
  readonly beside?: Series;
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
  const { names, series, beside, write, unit } = options;
  const all = beside === undefined ? [series] : [series, beside];
  const told = names.map((name, row) => [name, all.map(({ values }) => values[row] ?? 0)] as const);
  return (
    <figure className="chart">
      <figcaption className="run">
        {unit}
        {beside !== undefined &&
          all.map(({ name }, index) => (
            <span key={name}>
              <span className={`swatch series-${index + 1}`} aria-hidden="true" /> {name}
            </span>
          ))}
      </figcaption>
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
                {all.map(({ name }) => (
                  <th key={name} scope="col" className="figures">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {told
                .filter(([, values]) => values.some((value) => value !== 0))
                .map(([name, values]) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {values.map((value, index) => (
                      <td key={index} className="figures">
                        {write(value)}
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
