import { DAY_MS } from '../../lib/shared/bounds.ts';
import type { AppsKey } from './apps-key.ts';
import type { ExampleOrder } from './example-order.ts';
import { displayedPath } from './rule-file.ts';
import type { Application } from '../../packages/client/src/index.ts';
import type { HeldOrder } from './samples.ts';

/** The addresses and names that the next steps need. */
interface Playground {
  /** Where the functions answer, without a trailing slash. */
  readonly url: string;
  /** Whether there is a console, or will be. */
  readonly hasConsole: boolean;
  /** Where AWS's own clients invoke them. */
  readonly lambdaUrl: string;
  /** Who signs calls; nobody where they are not signed. */
  readonly application: Application | undefined;
  /** Where calls are signed; what it is, is not shown. */
  readonly appsKey: AppsKey | undefined;
  /** A check to begin with; none where no rule is in use. */
  readonly order: ExampleOrder | undefined;
  /** An order that waits for a message; none where no samples were sent. */
  readonly heldOrder: HeldOrder | undefined;
  /**
   * Names the database for the commands; undefined for a server that was given, whose address may
   * hold a password.
   */
  readonly database: string | undefined;
  /** How a command begins that is to work beside it: `npx --no-install headroom`. */
  readonly command: string;
}

type Row = readonly [name: string, text: string];

/** A command line that goes on from here, for a shell of macOS, Linux or WSL. */
function exampleCommand({ url, application }: Playground, order: ExampleOrder): string {
  const body = JSON.stringify(order).replaceAll("'", String.raw`'\''`);
  if (application === undefined)
    return `curl -s ${url}/v1/check -H 'content-type: application/json' -d '${body}'`;
  return `HEADROOM_APP_ID=${application.id} HEADROOM_SECRET=${application.secret} node examples/signed-call.mjs ${url}/v1/check '${body}'`;
}

/** Invokes the function of the queue with a message as SQS delivers it: the held order succeeded. */
function messageCommand({ orderId, subjects }: HeldOrder, lambdaUrl: string): string {
  const record = {
    messageId: 'm-1',
    eventSourceARN: 'arn:aws:sqs:local:000000000000:settlements',
    body: JSON.stringify({ orderId, status: 'SUCCESS', subjects }),
  };
  const event = JSON.stringify({ Records: [record] });
  return `curl -s ${lambdaUrl}/2015-03-31/functions/headroom-local-settle/invocations -d '${event}'`;
}

/** Where calls are signed, curl alone cannot make them, and the message names no application. */
function unsignedRows(playground: Playground, kind: string | undefined): readonly Row[] {
  const { url, lambdaUrl, application, order, heldOrder } = playground;
  if (application !== undefined || order === undefined) return [];
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  return [
    ['Tomorrow', `add  -H 'X-Headroom-Now: ${tomorrow}'  and take another ${kind}`],
    ['Its history', `curl -s ${url}/v1/transactions/${order.orderId}`],
    ...(heldOrder === undefined
      ? []
      : [['Messages', messageCommand(heldOrder, lambdaUrl)] as const]),
  ];
}

/** A command that makes an application whose secret the functions here can open, after the next start, too. */
function applicationCommand(
  { file }: AppsKey,
  database = 'MONGODB_URI=… MONGODB_DATABASE=…',
): string {
  const key = file === undefined ? 'APPS_KEY=…' : `APPS_KEY="$(cat '${displayedPath(file)}')"`;
  return `${key} ${database} npm run apps -- add shop`;
}

/** Prints what a newcomer can do from here. */
export function printNextSteps(playground: Playground, print: (text: string) => void): void {
  const { url, lambdaUrl, database, command, appsKey, order } = playground;
  const [kind, id] = Object.entries(order?.subjects ?? {})[0] ?? [];
  const asked = kind === undefined ? '' : `usage ${kind}:${id}, in this folder; `;
  const rows: readonly Row[] = [
    ...(playground.hasConsole
      ? [['Console', `${url}/console, to see and change limits in a browser`] as const]
      : []),
    ['All calls', `${playground.url}/openapi, to read and to try`],
    ...unsignedRows(playground, kind),
    [
      'Direct calls',
      `aws lambda invoke --endpoint-url ${lambdaUrl} --function-name headroom-local-check …`,
    ],
    ...(database === undefined
      ? []
      : [
          ['Commands', `${command} ${asked}--help lists them`] as const,
          ['Database', database] as const,
        ]),
    ...(appsKey === undefined
      ? []
      : [['Applications', applicationCommand(appsKey, database)] as const]),
    [
      'Functions',
      'edit functions/ or lib/; the next call runs the new code. VERBOSE=1 shows their logs',
    ],
    ['Stop', 'Ctrl-C'],
  ];
  print(`
Go on from here:
${order === undefined ? '' : `\n  ${exampleCommand(playground, order)}\n`}
${rows.map(([name, text]) => `  ${name.padEnd(14)}${text}`).join('\n')}

Headroom is ready at ${url}
`);
}
