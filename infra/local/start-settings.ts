import { join, resolve } from 'node:path';
import { ROOT } from '../framework.ts';
import { readSettings } from '../../lib/edge/settings.ts';
import { StartError } from './start-error.ts';

/** The settings that `npm start` takes from the environment. */
export interface StartSettings {
  /** Where the functions answer; 0 takes any free port. */
  readonly port: number;
  /** Where AWS's own clients can invoke the functions; 0 takes any free port. */
  readonly lambdaPort: number;
  /** Absolute path. */
  readonly rulesFile: string;
  readonly databaseName: string;
  readonly verbose: boolean;
  /** Whether the console is built, where it is not there yet. */
  readonly hasConsole: boolean;
  /** Where AUTH is hmac: APPS_KEY; empty where it is not set. */
  readonly appsKey?: string;
}

/** A variable of the environment; an empty one is one that is not set. */
function textOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = environment[name];
  return text === '' ? undefined : text;
}

function readPort(environment: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = textOf(environment, name);
  if (text === undefined) return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new StartError(`${name} is "${text}"; expected a port, a whole number from 0 to 65535.`);
}

/** The rules that the samples are about. Absolute path. */
export const EXAMPLE_RULES = join(ROOT, 'examples', 'rules.yaml');

/** In place of the local database's, which is not known yet. */
const ANY_URI = 'mongodb://127.0.0.1/';
/** In place of the key that a file keeps, where APPS_KEY is not set. */
const ANY_KEY = Buffer.alloc(32).toString('base64');

/**
 * Reads the settings of `npm start`, and makes sure that the functions can start with theirs.
 *
 * The database's name differs from a deployment's default on purpose: a real MONGODB_URI in the shell
 * must not get its rules replaced by an example.
 *
 * @throws StartError naming the setting that is wrong
 * @throws InvalidConfigurationError naming all of the functions' that are
 */
export function readStartSettings(environment: NodeJS.ProcessEnv): StartSettings {
  const rulesFile = textOf(environment, 'RULES_FILE');
  const settings = {
    port: readPort(environment, 'PORT', 3000),
    lambdaPort: readPort(environment, 'LAMBDA_PORT', 0),
    rulesFile: rulesFile === undefined ? EXAMPLE_RULES : resolve(rulesFile),
    databaseName: textOf(environment, 'MONGODB_DATABASE') ?? 'headroom_local',
    verbose: environment.VERBOSE === '1',
    hasConsole: environment.CONSOLE !== 'off',
    ...(environment.AUTH === 'hmac' ? { appsKey: environment.APPS_KEY ?? '' } : {}),
  };
  const appsKey = textOf(environment, 'APPS_KEY') ?? ANY_KEY;
  const uri = textOf(environment, 'MONGODB_URI') ?? ANY_URI;
  readSettings({ ...environment, MONGODB_URI: uri, APPS_KEY: appsKey });
  return settings;
}

/**
 * Returns a port to listen on.
 *
 * @throws StartError when somebody listens there already
 */
export function portTaken(name: string, port: number): StartError {
  return new StartError(
    `Port ${port} on this machine is taken, perhaps by another Headroom; choose one with ${name}=${port + 1} npm start.`,
  );
}
