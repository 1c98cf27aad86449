import { table } from './markdown.ts';
import type { Profile } from './profile.ts';

/** The functions that one check and one confirm enter, beside another revision where one was measured. */
export function profileText(profiles: readonly Profile[]): readonly string[] {
  const rows = profiles.flatMap(({ revision, rows: counted }) =>
    counted.map(({ call, calls, functions, files }) => [
      revision === undefined ? call : `${call} of ${revision}`,
      ...[calls, functions, files].map(String),
    ]),
  );
  return [
    '## Profile of one call',
    '',
    'How much of `lib` one check over five rules enters, and its confirm by reservation, when both have been called before. V8 counts them (`Profiler.takePreciseCoverage`). The driver and the handler are not counted.',
    '',
    ...table(['call', 'calls of functions', 'functions', 'files'], rows),
    '',
  ];
}
