import { matchText } from '../rule.ts';
import type { Measure } from './measure.ts';

/** In a counter's key: something lowers its sum; and what does. */
const [LOWERED, LOWERS] = ['s', 't'] as const;

/** An amount that some orders lower. */
export const level: Measure = {
  isOf: ({ minus }) => minus !== undefined,
  scope: ({ minus }) =>
    minus === undefined ? [] : ['minus', matchText(minus.is), matchText(minus.not)],
  mark: ({ lowers }) => (lowers === true ? LOWERS : LOWERED),
  names: ({ minus }) =>
    minus === undefined ? [] : [...Object.keys(minus.is), ...Object.keys(minus.not)],
  beside: ({ minus }) => minus,
};
