import {
  AUDIT_DAYS_DEFAULT,
  AUDIT_DAYS_MAX,
  AUDIT_WAIT_MS,
  OPEN_HOLDS_DEFAULT,
  OPEN_HOLDS_MAX,
  OPEN_SHARES_DEFAULT,
  OPEN_SHARES_MAX,
  OUTCOMES_DEFAULT,
  ORDERS_PER_CALL_MAX,
  OUTCOMES_MAX,
  SUBJECTS_MAX,
} from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import type { FourEyes } from '../four-eyes/four-eyes.ts';
import { InvalidConfigurationError } from '../shared/errors.ts';
import { ENCRYPTED_EXPECTED, isConnectionString, isUnencrypted } from './connection-string.ts';
import { ATTRIBUTE_EXPECTED, isAttributeName, isKind, KIND_EXPECTED } from '../shared/names.ts';
import { mistakeAt } from '../schema/mistakes.ts';
import { REPLAYS } from '../callers/caller.ts';
import { APPS_KEY_EXPECTED, readAppsKey } from '../callers/sealed-secret.ts';

/** As Powertools names them. */
const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'CRITICAL', 'SILENT'] as const;

/** What a deployment chooses, validated. docs/settings.md says what each setting means. */
export type Settings = Readonly<ReturnType<typeof settingsIn>>;

/** Variables of a process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings. An empty variable is not set, as tools that deploy cannot leave one out. @throws InvalidConfigurationError */
export function readSettings(environment: Environment, signatures: Signatures = 'read'): Settings {
  return readAll(environment, (from) => settingsIn(from, signatures));
}

/** Whether a function verifies signatures. The others have no key to open the secrets of applications. */
export type Signatures = 'read' | 'unread';

/** The settings that say where the database is, alone. @throws InvalidConfigurationError */
export function readDatabaseSettings(
  environment: Environment,
): Pick<Settings, 'mongodbUri' | 'mongodbDatabase'> {
  return readAll(environment, databaseIn);
}

/** The settings by which rules are changed, alone. @throws InvalidConfigurationError */
export function readRuleSettings(
  environment: Environment,
): Pick<Settings, 'fourEyes' | 'homeKinds'> {
  return readAll(environment, (from) => ({
    fourEyes: from.fourEyes(),
    homeKinds: homeKindsIn(from),
  }));
}

/** In order of preference. */
function homeKindsIn(from: Reader): readonly string[] {
  return from.kinds('HOME_KINDS', 'user');
}

function readAll<Read>(environment: Environment, read: (from: Reader) => Read): Read {
  const from = new Reader(environment);
  const is = read(from);
  if (from.mistakes.length > 0)
    throw new InvalidConfigurationError('The settings are wrong', from.mistakes);
  return is;
}

function databaseIn(from: Reader) {
  const mongodbTls = from.choice('MONGODB_TLS', ['required', 'off'], 'required');
  return {
    mongodbTls,
    /** Holds credentials: never shown, never logged. */
    mongodbUri: from.connectionString('MONGODB_URI', mongodbTls === 'required'),
    /** MongoDB manual, "Naming Restrictions"; the stricter ones, of Windows. */
    mongodbDatabase:
      from.text(
        'MONGODB_DATABASE',
        /^[A-Za-z0-9_-]{1,63}$/,
        'a database name: 1 to 63 letters, digits, hyphens or underscores',
      ) ?? 'headroom',
  };
}

function settingsIn(from: Reader, signatures: Signatures) {
  return {
    ...databaseIn(from),
    storeTimeoutMs: from.wholeNumber('STORE_TIMEOUT_MS', 100, 20_000, 2_000),
    rulesCacheMs: from.wholeNumber('RULES_CACHE_SECONDS', 0, 300, 10) * 1000,
    onUndecided: from.choice('ON_UNDECIDED', ['refuse', 'allow'], 'refuse'),
    onNoRule: from.choice('ON_NO_RULE', ['refuse', 'refuse-unlimited', 'allow'], 'refuse'),
    homeKinds: homeKindsIn(from),
    freezableKinds: from.kinds('FREEZABLE_KINDS', ''),
    openHoldsMax: from.wholeNumber('MAX_OPEN_HOLDS', 1, OPEN_HOLDS_MAX, OPEN_HOLDS_DEFAULT),
    openSharesMax: from.wholeNumber('MAX_OPEN_SHARES', 1, OPEN_SHARES_MAX, OPEN_SHARES_DEFAULT),
    outcomesMax: from.wholeNumber(
      'REMEMBERED_OUTCOMES',
      ORDERS_PER_CALL_MAX,
      OUTCOMES_MAX,
      OUTCOMES_DEFAULT,
    ),
    consistency: from.choice('CONSISTENCY', ['holds', 'session'], 'holds'),
    audit: from.choice('AUDIT', ['off', 'best-effort', 'session'], 'best-effort'),
    auditDays: from.wholeNumber('AUDIT_DAYS', 1, AUDIT_DAYS_MAX, AUDIT_DAYS_DEFAULT),
    /** No variable: a program that measures no time may wait longer for its rows. */
    auditWaitMs: AUDIT_WAIT_MS,
    auditAttributes: from.attributes('AUDIT_ATTRIBUTES'),
    near: from.choice('NEAR', ['on', 'off'], 'on'),
    /** Amazon EventBridge API reference, CreateEventBus: `Name`. */
    nearBus: from.text(
      'NEAR_BUS',
      /^[/.\-_A-Za-z0-9]{1,256}$/,
      'the name of an event bus: 1 to 256 letters, digits, dots, hyphens, underscores or slashes',
    ),
    /** Source: AWS Lambda API reference, Invoke: `FunctionName`. */
    backtestFunction:
      from.text(
        'BACKTEST_FUNCTION',
        /^[A-Za-z0-9_-]{1,64}$/,
        'the name of a function: 1 to 64 letters, digits, hyphens or underscores',
      ) ?? 'headroom-dev-backtest',
    logPayloads: from.choice('LOG_PAYLOADS', ['off', 'on'], 'off') === 'on',
    logLevel: from.choice('LOG_LEVEL', LOG_LEVELS, 'INFO'),
    auth: from.auth(signatures),
    fourEyes: from.fourEyes(),
    /** Whether the header X-Headroom-Now takes the place of the database's clock. */
    localClock: from.localClock('LOCAL_CLOCK'),
  };
}

/** Reads variables one by one, and collects mistakes. */
class Reader {
  readonly mistakes: Mistake[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  wholeNumber(name: string, least: number, most: number, otherwise: number): number {
    const text = this.#text(name) ?? String(otherwise);
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && least <= value && value <= most) return value;
    this.#refuse(name, text, `a whole number from ${least} to ${most}`);
    return otherwise;
  }

  choice<const T extends string>(name: string, choices: readonly T[], otherwise: NoInfer<T>): T {
    const text = this.#text(name) ?? otherwise;
    const choice = choices.find((each) => each === text);
    if (choice === undefined) this.#refuse(name, text, `one of ${choices.join(', ')}`);
    return choice ?? otherwise;
  }

  /** @param otherwise empty for none */
  kinds(name: string, otherwise: string): readonly string[] {
    const text = this.#text(name) ?? otherwise;
    if (text === '') return [];
    const kinds = text.split(',').map((kind) => kind.trim());
    for (const kind of kinds) if (!isKind(kind)) this.#refuse(name, kind, KIND_EXPECTED);
    if (kinds.length > SUBJECTS_MAX || new Set(kinds).size < kinds.length)
      this.#refuse(name, kinds.join(','), `at most ${SUBJECTS_MAX} different subject kinds`);
    return kinds;
  }

  /** `all`, `none`, or the names of some. */
  attributes(name: string): 'all' | 'none' | readonly string[] {
    const text = this.#text(name) ?? 'all';
    if (text === 'all' || text === 'none') return text;
    const names = text.split(',').map((one) => one.trim());
    for (const one of names)
      if (!isAttributeName(one))
        this.#refuse(name, one, `all, none, or between commas ${ATTRIBUTE_EXPECTED}`);
    return names;
  }

  text(name: string, form: RegExp, expected: string): string | undefined {
    const text = this.#text(name);
    if (text !== undefined && !form.test(text)) this.#refuse(name, text, expected);
    return text;
  }

  /** @param tls the setting that allows one without TLS */
  connectionString(name: string, needsTls: boolean): string {
    const text = this.#text(name);
    if (text === undefined || !isConnectionString(text))
      this.#refuseUnseen(name, 'a connection string that begins with mongodb:// or mongodb+srv://');
    else if (needsTls && isUnencrypted(text)) this.#refuseUnseen(name, ENCRYPTED_EXPECTED);
    return text ?? '';
  }

  auth(signatures: Signatures) {
    const kind = this.choice('AUTH', ['none', 'hmac'], 'none');
    const appsCacheMs = this.wholeNumber('APPS_CACHE_SECONDS', 0, 300, 10) * 1000;
    const replay = this.choice('REPLAY', REPLAYS, 'changes');
    if (kind === 'none') return { kind };
    const appsKey = readAppsKey(this.#text('APPS_KEY') ?? '');
    if (appsKey === undefined && signatures === 'read')
      this.#refuseUnseen('APPS_KEY', APPS_KEY_EXPECTED);
    // The key that the applications' secrets are sealed under: never shown, never logged.
    return { kind, appsKey: appsKey ?? Buffer.of(), appsCacheMs, replay };
  }

  fourEyes(): FourEyes {
    const kind = this.choice('FOUR_EYES', ['none', 'raises', 'all'], 'none');
    const text = this.#text('FOUR_EYES_ABOVE') ?? '';
    const above = readAmounts(text);
    if (above === undefined) this.#refuse('FOUR_EYES_ABOVE', text, AMOUNTS_EXPECTED);
    return kind === 'raises' ? { kind, above: above ?? {} } : { kind };
  }

  /** A caller who chooses the time can do anything, so a deployed function refuses to start. */
  localClock(name: string): boolean {
    const on = this.choice(name, ['off', 'on'], 'off') === 'on';
    const deployed =
      this.#text('AWS_EXECUTION_ENV') !== undefined && this.#text('IS_OFFLINE') === undefined;
    if (on && deployed) this.#refuse(name, 'on', 'off in a function that is deployed');
    return on;
  }

  #text(name: string): string | undefined {
    const text = this.#environment[name];
    return text === '' ? undefined : text;
  }

  /** A mistyped one may hold a secret. */
  #refuseUnseen(name: string, expected: string): void {
    const text = this.#text(name);
    const value = text === undefined ? {} : { value: `a text of ${text.length} characters` };
    this.mistakes.push({ path: name, ...value, expected });
  }

  #refuse(name: string, value: string, expected: string): void {
    this.mistakes.push(mistakeAt([name], value, expected));
  }
}

const AMOUNTS_EXPECTED =
  'currencies and amounts in minor units, each currency once, such as CNY:5000000,USD:700000';

/** Reads amounts by currency, none of an empty text; undefined where it is no such text. */
function readAmounts(text: string): Readonly<Record<string, number>> | undefined {
  if (text === '') return {};
  const amounts = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, currency, amount] = /^([A-Z0-9]{3,12}):(\d{1,15})$/.exec(part.trim()) ?? [];
    if (currency === undefined || amounts.has(currency)) return undefined;
    amounts.set(currency, Number(amount));
  }
  return Object.fromEntries(amounts);
}
