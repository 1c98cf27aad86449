import { writeFileSync } from 'node:fs';
import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import type { EChartsCoreOption } from 'echarts/core';
import { init, use as draws } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { CommandError } from '../command-error.ts';
import { fileReason } from '../file-reason.ts';

draws([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const WIDTH = 960;
const HEIGHT = 420;

/** One row of numbers of a chart. */
export type Series = { readonly name: string; readonly values: readonly number[] };

/** Numbers over names, with an axis of their own. */
export type Panel = {
  readonly title: string;
  readonly names: readonly string[];
  readonly series: readonly Series[];
  readonly write: (value: number) => string;
};

/** Panels below one another. */
export type Drawn = { readonly type: 'bar' | 'line'; readonly panels: readonly Panel[] };

/** Draws numbers as SVG, as text. */
export function drawSvg({ type, panels }: Drawn): string {
  const height = HEIGHT * panels.length;
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  const centre = { left: 'center' } as const;
  const option: EChartsCoreOption = {
    animation: false,
    backgroundColor: '#ffffff',
    title: panels.map(({ title: text }, place) => ({
      ...centre,
      text,
      top: HEIGHT * place + 10,
      textStyle: { fontSize: 14 },
    })),
    legend: panels.map(({ series }, place) => ({
      ...centre,
      itemGap: 24,
      top: HEIGHT * (place + 1) - 30,
      data: series.map(({ name }) => name),
    })),
    grid: panels.map((_panel, place) => ({
      left: 90,
      right: 20,
      top: HEIGHT * place + 50,
      height: HEIGHT - 100,
    })),
    xAxis: panels.map(({ names }, gridIndex) => ({ gridIndex, type: 'category', data: names })),
    yAxis: panels.map(({ write }, gridIndex) => ({
      gridIndex,
      type: 'value',
      minInterval: 1,
      axisLabel: { formatter: write },
    })),
    series: panels.flatMap(({ series }, place) =>
      series.map(({ name, values }) => ({
        name,
        type,
        data: values,
        xAxisIndex: place,
        yAxisIndex: place,
      })),
    ),
  };
  chart.setOption(option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** Writes a drawing. @throws CommandError */
export function writeSvg(file: string, drawn: Drawn): void {
  try {
    writeFileSync(file, drawSvg(drawn));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandError(`The chart was not written: ${file}: ${chartReason(error)}.`);
  }
}

/** A file that is written need not be there, but its folder must. */
function chartReason(error: Error): string {
  if (!('code' in error && error.code === 'ENOENT')) return fileReason(error);
  return 'its folder is not there. Make it, or name another file';
}
