import type { Bytes } from './bytes.ts';
import { table } from './markdown.ts';

/** The bytes that are sent, stored and deployed; beside another revision where one was measured. */
export function bytesText(builds: readonly Bytes[]): readonly string[] {
  const [own] = builds;
  if (own === undefined) return [];
  const named = (first: string, second: string): readonly string[] => [
    first,
    ...builds.flatMap(({ revision }) => {
      const where = revision === undefined ? '' : ` of ${revision}`;
      return second === '' ? [`bytes${where}`] : [`${second}${where}`, `bytes${where}`];
    }),
  ];
  return [
    '## Bytes',
    '',
    'As BSON, all statements of a call together; a bundle without its source map.',
    '',
    ...table(
      named('call', 'statements'),
      own.requests.map(({ call }) => [
        call,
        ...builds.flatMap(({ requests }) => {
          const row = requests.find((one) => one.call === call);
          return [String(row?.statements ?? ''), String(row?.bytes ?? '')];
        }),
      ]),
    ),
    '',
    ...table(
      named('stored document, five rules', ''),
      own.stored.map(({ document }) => [
        document,
        ...builds.map(({ stored }) => bytesOf(stored.find((one) => one.document === document))),
      ]),
    ),
    '',
    ...table(
      named('bundle', ''),
      own.bundles.map(({ name }) => [
        name,
        ...builds.map(({ bundles }) => bytesOf(bundles.find((one) => one.name === name))),
      ]),
    ),
    '',
  ];
}

function bytesOf(row: { readonly bytes: number } | undefined): string {
  return row === undefined ? '' : String(row.bytes);
}
