import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function of serverless.yml. */
export interface FunctionDescription {
  readonly handler: string;
  readonly description: string;
  /** `POST /v1/check` */
  readonly routes: readonly string[];
  readonly timeoutSeconds: number;
  /** Where it needs more than the others. */
  readonly memoryMegabytes?: number;
  /** Settings that are its own. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The parts of serverless.yml that the build reads, with its defaults. */
export interface Description {
  readonly functions: Readonly<Record<string, FunctionDescription>>;
  readonly environment: Readonly<Record<string, string>>;
  /** The form of a line of the API's access log. */
  readonly accessLogFormat: string;
  readonly memoryMegabytes: number;
  readonly requestsPerSecond: number;
  readonly requestsBurst: number;
  readonly queueReceivesMax: number;
  readonly queueVisibilitySeconds: number;
  readonly settleAtOnce: number;
  readonly storeTimeoutMs: number;
  readonly historyTimeoutMs: number;
  readonly timeoutSeconds: number;
  readonly quietSeconds: number;
  readonly refusedPercentMax: number;
  /** The most requests to the database that a call waits for, one after the other. */
  readonly storeCallsMax: number;
  /** As many for a call about the past. */
  readonly historyCallsMax: number;
  readonly eventSource: string;
  readonly eventDetailType: string;
  readonly indexesRevision: string;
  /** The dashboard's body, for `Fn::Sub`. */
  readonly dashboard: string;
}

/** Stands where a stage's name belongs. */
export const STAGE_PLACE = '--stage--';

/** Reads what the build made, for a stage. */
export function readDescription(stage: string): Description {
  const text = readFileSync(join(__dirname, 'description.json'), 'utf8');
  return JSON.parse(text.replaceAll(STAGE_PLACE, stage)) as Description; // the build's own
}

/** Where the build put the code of a function. */
export function codeFolder(name: string): string {
  return join(__dirname, 'functions', name);
}
