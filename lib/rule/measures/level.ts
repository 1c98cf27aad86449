import { MARKS } from '../counter-key.ts';
import { matchText } from '../rule.ts';
import type { Measure } from './measure.ts';

/** An amount that some orders lower. */
export const level: Measure = {
  isOf: ({ minus }) => minus !== undefined,
  scope: ({ minus }) =>
    minus === undefined ? [] : ['minus', matchText(minus.is), matchText(minus.not)],
  mark: ({ lowers }) => (lowers === true ? MARKS.lowers : MARKS.lowered),
  names: ({ minus }) =>
    minus === undefined ? [] : [...Object.keys(minus.is), ...Object.keys(minus.not)],
  beside: ({ minus }) => minus,
};
