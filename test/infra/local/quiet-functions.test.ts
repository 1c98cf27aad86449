import { expect, it } from 'vitest';
import { quietly } from '../../../infra/local/functions.ts';

// prettier-ignore
it.each([
  { given: {}, verbose: false, level: 'WARN', why: 'what is less than a warning is shown to nobody' },
  { given: { LOG_LEVEL: '' }, verbose: false, level: 'WARN', why: 'an empty setting is none' },
  { given: {}, verbose: true, level: undefined, why: 'everything is shown' },
  { given: { LOG_LEVEL: 'DEBUG' }, verbose: false, level: undefined, why: 'somebody wants another level' },
])(
  'local functions given $given, verbose $verbose, log $level: $why',
  ({ given, verbose, level }) => {
    expect(quietly(given, verbose)).toEqual({
      POWERTOOLS_METRICS_DISABLED: 'true',
      ...(level === undefined ? {} : { LOG_LEVEL: level }),
    });
  },
);
