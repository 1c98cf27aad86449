import * as echarts from 'echarts';
import type { EChartsOption } from 'echarts';
import type { Results } from './measure-all.ts';
import type { ThroughputRow } from './throughput.ts';

/** A drawing, and the name of its file. */
export type Chart = { readonly file: string; readonly title: string; readonly svg: string };

const WIDTH = 960;
const HEIGHT = 420;
/** The bars side by side, by the name of its contender. */
const BARS = {
  check: 'check',
  confirm: 'confirm',
  refusal: 'refusal',
  findOneAndUpdate: 'findOneAndUpdate $inc',
  fiveLimiters: 'five limiters',
  textbookCommit: 'textbook commit',
} as const;

/** Draws everything that a reader compares by eye. */
export function drawCharts({ throughput }: Results): readonly Chart[] {
  return [
    ...(['distinct', 'hot'] as const).map((placement) =>
      speedChart(
        placement,
        throughput.rows.filter((row) => row.placement === placement),
      ),
    ),
    ...hotCharts(throughput.rows.filter((row) => row.placement === 'hot')),
  ];
}

function speedChart(placement: string, rows: readonly ThroughputRow[]): Chart {
  const callers = [...new Set(rows.map((row) => row.callers))];
  const where = placement === 'hot' ? 'one hot subject' : '1,000 subjects';
  return draw(`speed-${placement}`, `Speed on ${where}, in times of findOneAndUpdate $inc`, {
    xAxis: { type: 'category', name: 'callers', data: callers.map(String) },
    yAxis: { type: 'value' },
    series: Object.entries(BARS).map(([contender, name]) => ({
      name,
      type: 'bar',
      data: callers.map((count) => medianAt(rows, contender, count)),
    })),
  });
}

function medianAt(rows: readonly ThroughputRow[], name: string, callers: number): number {
  const row = rows.find((one) => one.contender === name && one.callers === callers);
  return rounded(row?.toFloor.median ?? NaN);
}

/** How orders come, by the name of the contender. */
const HOT_LINES = { pair: 'one order a call', group: '64 orders a call' } as const;

/** Orders checked and confirmed each second on one document, and how long the slowest calls wait. */
function hotCharts(rows: readonly ThroughputRow[]): readonly Chart[] {
  const callers = [...new Set(rows.map((row) => row.callers))];
  const lines = (valueOf: (row: ThroughputRow) => number): EChartsOption => ({
    xAxis: { type: 'category', name: 'callers', data: callers.map(String) },
    yAxis: { type: 'log' },
    series: Object.entries(HOT_LINES).map(([contender, name]) => ({
      name,
      type: 'line',
      data: rows.filter((row) => row.contender === contender).map((row) => rounded(valueOf(row))),
    })),
  });
  return [
    draw(
      'hot-subject',
      'One hot subject: orders checked and confirmed a second',
      lines(({ perSecond }) => perSecond.median),
    ),
    draw(
      'hot-subject-wait',
      'One hot subject: 99th percentile of check and confirm, in ms',
      lines(({ p99Ms }) => p99Ms),
    ),
  ];
}

function draw(name: string, title: string, option: EChartsOption): Chart {
  const chart = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: WIDTH,
    height: HEIGHT,
  });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: { text: title, left: 'center', textStyle: { fontSize: 15 } },
    legend: { bottom: 0, itemGap: 24 },
    grid: { left: 60, right: 90, top: 60, bottom: 60 },
    ...option,
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return { file: `benchmark-${name}.svg`, title, svg };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
