import { join } from 'node:path';
import { InvalidConfigurationError } from '../../lib/domain/errors.ts';
import { ROOT } from '../framework.ts';
import { appsKeyOf } from './apps-key.ts';
import type { AppsKey } from './apps-key.ts';
import { LocalDatabaseError, startDatabase } from './database.ts';
import { startOffline } from './offline.ts';
import { LOCALHOST, probePort } from './ports.ts';
import { displayedPath, prepareDatabase, readRuleFile } from './prepare.ts';
import { makeSampleApplication } from './sample-application.ts';
import type { SampleApplication } from './sample-application.ts';
import { exampleCommand, sendSamples } from './samples.ts';
import { StartError } from './start-error.ts';
import { portTaken, readStartSettings } from './start-settings.ts';
import type { StartSettings } from './start-settings.ts';
import { listenForStop } from './stop-requests.ts';

type Stop = () => Promise<void>;

const DAY_MS = 86_400_000;

/**
 * Prints what a newcomer can do from here.
 *
 * @param database names the database for the commands; undefined for a server that was given, whose
 *   address may hold a password
 * @param appsKey where calls are signed; what it is, is not shown
 */
function printNext(
  url: string,
  lambdaPort: number,
  application: SampleApplication | undefined,
  database: string | undefined,
  appsKey: AppsKey | undefined,
): void {
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  const lambda = `http://${LOCALHOST}:${lambdaPort}`;
  // Where calls are signed, curl alone cannot make them, and the example's messages name no application.
  const unsigned: readonly (readonly [string, string])[] = [
    ['Tomorrow', `add  -H 'X-Headroom-Now: ${tomorrow}'`],
    ['Its story', `curl -s ${url}/v1/transactions/order-1`],
    [
      'Messages',
      `curl -s ${lambda}/2015-03-31/functions/headroom-local-settle/invocations -d @examples/settlement-messages.json`,
    ],
  ];
  const rows: readonly (readonly [string, string])[] = [
    ...(application === undefined ? unsigned : []),
    [
      'Direct calls',
      `aws lambda invoke --endpoint-url ${lambda} --function-name headroom-local-check …`,
    ],
    ...(database === undefined
      ? []
      : [['Commands', `${database} npm run reconcile -- --subject user:u-1`] as const]),
    ...(appsKey === undefined
      ? []
      : [['Applications', applicationCommand(appsKey, database)] as const]),
    [
      'Functions',
      'edit functions/ or lib/; the next call runs the new code. VERBOSE=1 shows their logs',
    ],
    ['Stop', 'Ctrl-C'],
  ];
  console.log(`
Go on from here:

  ${exampleCommand(url, application)}

${rows.map(([name, text]) => `  ${name.padEnd(14)}${text}`).join('\n')}

Headroom is ready at ${url}
`);
}

/** A command that makes an application whose secret the functions here can open, after the next start, too. */
function applicationCommand(
  { file }: AppsKey,
  database = 'MONGODB_URI=… MONGODB_DATABASE=…',
): string {
  const key = file === undefined ? 'APPS_KEY=…' : `APPS_KEY="$(cat '${displayedPath(file)}')"`;
  return `${key} ${database} npm run apps -- add shop`;
}

/** Starts everything in order; whatever was started is added to `started`, to be stopped in reverse. */
async function startAll(settings: StartSettings, signal: AbortSignal, started: Stop[]) {
  const port = await probePort(settings.port);
  if (port === undefined) throw portTaken('PORT', settings.port);
  const lambdaPort = await probePort(settings.lambdaPort);
  if (lambdaPort === undefined) throw portTaken('LAMBDA_PORT', settings.lambdaPort);

  // Before the database, which may take a while the first time.
  const rules = await readRuleFile(settings.rulesFile);

  // A folder for each port: a second Headroom beside this one has its own data.
  const folder = join(ROOT, '.headroom', `port-${port}`);
  const database = await startDatabase({
    folder,
    keepsData: true,
    report: (line) => {
      console.log(line);
    },
    signal,
  });
  started.push(() => database.stop());

  await prepareDatabase(database.uri, settings.databaseName, rules);
  console.log(`Rules: ${rules.length} from ${displayedPath(settings.rulesFile)}`);
  const appsKey =
    settings.appsKey === undefined
      ? undefined
      : await appsKeyOf(settings.appsKey, `${folder}.apps-key`);
  const application =
    appsKey && (await makeSampleApplication(database.uri, settings.databaseName, appsKey));

  const offline = await startOffline({
    port,
    lambdaPort,
    verbose: settings.verbose,
    signal,
    environment: {
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: settings.databaseName,
      ...(appsKey === undefined ? {} : { APPS_KEY: appsKey.text }),
      // The one place that sets it: callers of this machine may choose the time.
      LOCAL_CLOCK: 'on',
    },
  });
  started.push(offline.stop);
  console.log(
    `Functions: check, confirm, rollback, refund, checks, settlements, status at http://${LOCALHOST}:${port}\n`,
  );
  return { port, lambdaPort, offline, database, application, appsKey };
}

/** Starts, shows the samples, and returns when somebody asks to stop; stops everything it started. */
async function run(): Promise<void> {
  const stopRequest = listenForStop();
  const started: Stop[] = [];
  try {
    const settings = readStartSettings(process.env);
    const running = await startAll(settings, stopRequest.signal, started);
    const url = `http://${LOCALHOST}:${running.port}`;
    const { application } = running;
    await sendSamples({ url, application, signal: stopRequest.signal }, (line) => {
      console.log(line);
    });
    const { uri, isOwn } = running.database;
    const database = isOwn
      ? `MONGODB_URI='${uri}' MONGODB_DATABASE=${settings.databaseName}`
      : undefined;
    printNext(url, running.lambdaPort, application, database, running.appsKey);
    const end = await Promise.race([
      stopRequest.asked,
      running.offline.ended.then((how) => `The functions' server ended with ${how}.`),
      running.database.ended.then(() => 'The database ended.'),
    ]);
    throw new StartError([end, running.offline.lastLines()].join('\n').trim());
  } catch (error) {
    // Whatever fails after the wish to stop failed because of it.
    if (!stopRequest.signal.aborted) throw error;
    console.log('\nStopping.');
  } finally {
    for (const stop of started.reverse()) await stop();
  }
}

/** Says whether an error is for the newcomer to put right; its message says how. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof StartError ||
    error instanceof LocalDatabaseError ||
    error instanceof InvalidConfigurationError
  );
}

try {
  await run();
} catch (error) {
  console.error(isExpected(error) ? `\n${error.message}` : error);
  process.exitCode = 1;
}
// Whatever a library left open must not keep the terminal.
process.exit();
