import * as echarts from 'echarts';
import { FLOOR } from './baselines.ts';
import { GOAL_CALLERS } from './extent.ts';
import type { RatioRow } from './ratios.ts';

const WIDTH = 960;
const HEIGHT = 420;

/** Draws how fast each row is that has one order a call, on many subjects and on one. */
export function drawChart(rows: readonly RatioRow[]): string {
  const shown = rows.filter(({ callers, orders }) => callers === GOAL_CALLERS && orders === 1);
  const names = [...new Set(shown.map(({ name }) => name))];
  const chart = echarts.init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: WIDTH,
    height: HEIGHT,
  });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    legend: { bottom: 0, itemGap: 24 },
    grid: { left: 60, right: 20, top: 30, bottom: 110 },
    xAxis: { type: 'category', data: names, axisLabel: { interval: 0, rotate: 30 } },
    yAxis: { type: 'value' },
    series: (['distinct', 'hot'] as const).map((placement) => ({
      name: placement === 'hot' ? 'one subject' : 'many subjects',
      type: 'bar',
      data: names.map((name) => {
        const row = shown.find((one) => one.name === name && one.placement === placement);
        return row === undefined ? '-' : Number(speedOf(row).toPrecision(3));
      }),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

/** In times of the floor, which is 1 itself. */
function speedOf({ name, ratios }: RatioRow): number {
  if (name === FLOOR) return 1;
  return ratios.find(({ to }) => to === FLOOR)?.ratio.median ?? NaN;
}
