import { dirname, join } from 'node:path';
import { FUNCTIONS } from '../../contract/calls.ts';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import { ROOT } from '../framework.ts';
import { buildConsole } from './console-build.ts';
import { LocalDatabaseError, startDatabase } from './database.ts';
import { EXAMPLE_ORDER, exampleOrder } from './example-order.ts';
import { fullDiskSentence } from './full-disk.ts';
import { printNextSteps } from './next-steps.ts';
import { LOCALHOST, probePort } from './ports.ts';
import { readRuleSettings } from '../../lib/edge/settings.ts';
import { ruleWarnings } from '../../lib/rule-book/rule-warnings.ts';
import { displayedPath, readRuleFile, type RuleFile } from './rule-file.ts';
import { noteRunning } from './running-start.ts';
import { sendSamples } from './samples.ts';
import { StartError } from './start-error.ts';
import {
  EXAMPLE_RULES,
  portTaken,
  readStartSettings,
  type StartSettings,
} from './start-settings.ts';
import { listenForStop } from './stop-requests.ts';

type Stop = () => Promise<void>;

function print(line: string): void {
  console.log(line);
}

/**
 * Starts everything; whatever was started is added to `started`, to be stopped in reverse. The
 * functions are bundled while the database starts.
 */
async function startAll(
  settings: StartSettings,
  rules: RuleFile,
  signal: AbortSignal,
  started: Stop[],
) {
  const port = await probePort(settings.port);
  if (port === undefined) throw portTaken('PORT', settings.port);
  const lambdaPort = await probePort(settings.lambdaPort);
  if (lambdaPort === undefined) throw portTaken('LAMBDA_PORT', settings.lambdaPort);

  const { databaseName, verbose } = settings;
  const loading = import('./functions.ts').then((each) =>
    each.prepareFunctions({ port, lambdaPort, verbose }),
  );
  // A failure is thrown where it is awaited: when there is a database.
  const functions = loading.catch(() => undefined);
  started.push(async () => (await functions)?.stop());

  // Loaded only now: the driver takes a while, and nothing above needs it.
  const prepare = import('./prepare.ts');

  // A folder for each port: a second Headroom beside this one has its own data.
  const folder = join(ROOT, '.headroom', `port-${port}`);
  const database = await startDatabase({
    folder,
    keepsData: true,
    // Callers may choose the time, and a sweep goes by the machine's: it would delete what they wrote.
    ttlSweepSeconds: 'never',
    report: print,
    signal,
  });
  started.unshift(() => database.stop());

  const { appsKeyOf, makeSampleApplication, prepareDatabase } = await prepare;
  const prepared = await prepareDatabase(database.uri, databaseName, rules, signal);
  const file = displayedPath(settings.rulesFile);
  print(
    prepared.isAsInFile
      ? `Rules: ${prepared.rules.length} from ${file}`
      : `Rules: ${prepared.rules.length}, changed since ${file} was loaded (revision ${prepared.revision}); to load the file again, edit it or use npm run rules`,
  );
  const appsKey =
    settings.appsKey === undefined
      ? undefined
      : await appsKeyOf(settings.appsKey, `${folder}.apps-key`);
  const application =
    appsKey && (await makeSampleApplication(database.uri, databaseName, appsKey, signal));

  const environment = {
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: databaseName,
    ...(appsKey === undefined ? {} : { APPS_KEY: appsKey.text }),
    // The one place that sets it: callers of this machine may choose the time.
    LOCAL_CLOCK: 'on',
    ...lambdaHere(lambdaPort),
  };
  const { serve } = await loading;
  signal.throwIfAborted();
  await serve({ environment, application });
  print(`Functions: ${[...FUNCTIONS].join(', ')} at http://${LOCALHOST}:${port}\n`);
  if (database.isOwn) {
    const environment = { MONGODB_URI: database.uri, MONGODB_DATABASE: databaseName };
    const file = appsKey?.file;
    const key = file === undefined ? {} : { appsKeyFile: file };
    started.push(noteRunning(dirname(folder), { port, environment, ...key }));
  }
  return { port, lambdaPort, database, application, appsKey, prepared };
}

/** Where functions invoke one another. An account that the caller has is for events alone. */
function lambdaHere(port: number): Readonly<Record<string, string>> {
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...callersOwn(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']),
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', // Node 20 serves here
    AWS_ENDPOINT_URL_LAMBDA: `http://${LOCALHOST}:${port}`,
  };
}

function callersOwn(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Starts, shows the samples, and returns when somebody asks to stop; stops everything it started. */
async function run(): Promise<void> {
  // Before anything starts, so that their mistakes show at once.
  const settings = readStartSettings(process.env);
  const rules = await readRuleFile(settings.rulesFile);
  const { homeKinds } = readRuleSettings(process.env);
  for (const { says } of ruleWarnings([], rules, homeKinds, new Date())) print(`Warning: ${says}`);

  const stopRequest = listenForStop();
  const started: Stop[] = [];
  try {
    const running = await startAll(settings, rules, stopRequest.signal, started);
    const url = `http://${LOCALHOST}:${running.port}`;
    const { application, prepared } = running;
    // The samples are about the example: other rules would answer with what says nothing about them.
    const isExample = prepared.isAsInFile && settings.rulesFile === EXAMPLE_RULES;
    const samples = { url, application, signal: stopRequest.signal };
    const heldOrder = isExample ? await sendSamples(samples, print) : undefined;
    const { uri, isOwn } = running.database;
    printNextSteps(
      {
        url,
        hasConsole: settings.hasConsole,
        lambdaUrl: `http://${LOCALHOST}:${running.lambdaPort}`,
        application,
        appsKey: running.appsKey,
        order: isExample ? EXAMPLE_ORDER : exampleOrder(prepared.rules),
        heldOrder,
        command:
          running.port === 3000
            ? 'npx --no-install headroom'
            : `PORT=${running.port} npx --no-install headroom`,
        database: isOwn
          ? `MONGODB_URI='${uri}' MONGODB_DATABASE=${settings.databaseName}`
          : undefined,
      },
      print,
    );
    if (settings.hasConsole) started.push(buildConsole(print).stop);
    const ended = running.database.ended.then(() => 'The database ended.');
    throw new StartError(await Promise.race([stopRequest.asked, ended]));
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

/**
 * `headroom start`, until somebody asks it to stop.
 *
 * @returns 0 where it was stopped, 1 where it could not start, or something that it started ended
 */
export async function start(): Promise<number> {
  try {
    await run();
    return 0;
  } catch (error) {
    const sentence =
      fullDiskSentence(error, ROOT) ?? (isExpected(error) ? error.message : undefined);
    console.error(sentence === undefined ? error : `\n${sentence}`);
    return 1;
  }
}
