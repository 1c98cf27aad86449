import { BarChart } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components';
import type { EChartsCoreOption } from 'echarts/core';
import { init, use as draws } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import type { ChartOptions } from './chart.tsx';

draws([
  BarChart,
  GridComponent,
  TooltipComponent,
  MarkLineComponent,
  AriaComponent,
  CanvasRenderer,
]);

const DARK = '(prefers-color-scheme: dark)';

function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Source: ECharts option manual; the tooltip is drawn, for one of HTML has a style of its own. */
function optionOf({ names, series, beside, write, line }: ChartOptions): EChartsCoreOption {
  const [text, rule] = [colorOf('--text-2'), colorOf('--line')];
  const font = { color: text, fontFamily: 'inherit', fontSize: 12 };
  return {
    // One alone has the colour of the second, which is what the page is about.
    color:
      beside === undefined ? [colorOf('--chart')] : [colorOf('--line-strong'), colorOf('--chart')],
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 200,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    grid: {
      top: 12,
      bottom: 4,
      left: 4,
      right: 12,
      containLabel: true,
    },
    tooltip: {
      trigger: 'axis',
      renderMode: 'richText',
      confine: true,
      axisPointer: { type: 'shadow' },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? write(value) : '–'),
      backgroundColor: colorOf('--surface'),
      borderColor: rule,
      textStyle: { ...font, color: colorOf('--text') },
    },
    aria: { enabled: true, label: { enabled: false } },
    xAxis: {
      type: 'category',
      data: names,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: rule } },
      axisLabel: { ...font, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      splitNumber: 4,
      axisLabel: { ...font, formatter: (value: number) => write(value, true) },
      splitLine: { lineStyle: { color: rule } },
    },
    series: (beside === undefined ? [series] : [series, beside]).map(({ name, values }) => ({
      type: 'bar',
      ...{ name, data: values, barMaxWidth: 32 },
      ...(line !== undefined && {
        markLine: {
          silent: true,
          symbol: 'none',
          data: [{ yAxis: line.value }],
          lineStyle: { color: colorOf('--over'), type: 'dashed', width: 1.5 },
          label: { ...font, formatter: line.name, position: 'insideEndTop' },
        },
      }),
    })),
  };
}

/** Draws bars. A table beside it has the values, for people who cannot see it. */
export default function Drawing({
  options,
  label,
}: {
  readonly options: ChartOptions;
  readonly label: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const chart = init(place.current);
    const draw = (): void => {
      chart.setOption(optionOf(options), true);
    };
    draw();
    const sizes = new ResizeObserver(() => {
      chart.resize();
    });
    sizes.observe(place.current);
    const dark = matchMedia(DARK);
    dark.addEventListener('change', draw);
    return () => {
      dark.removeEventListener('change', draw);
      sizes.disconnect();
      chart.dispose();
    };
  }, [options]);
  return <div ref={place} className="drawing" role="img" aria-label={label} />;
}
