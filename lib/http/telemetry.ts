import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { HeadroomError } from '../shared/errors.ts';
import type { Settings } from './settings.ts';

/** How a call ended: as answered, as the caller's mistake, or as a fault of ours. */
export type CallOutcome =
  | 'allowed'
  | 'refused'
  | 'undecided'
  | 'confirmed'
  | 'rolledBack'
  | 'refunded'
  | 'answered'
  | 'rejected'
  | 'failed';

/** The log line of a call of one order or many, or of a message that could not be settled. */
export type CallRecord = {
  readonly call: string;
  readonly requestId: string;
  readonly durationMs: number;
  /** `answered` where nothing was decided, or each order of a call of many by itself. */
  readonly outcome: CallOutcome;
  /** How many orders of a call of many ended so. */
  readonly orders?: Readonly<Partial<Record<CallOutcome, number>>>;
  /** The application that calls; where a signature is wrong, the one that it names. */
  readonly app?: string;
  /** Why a signature is not taken. */
  readonly reason?: string;
  /** Of a problem. */
  readonly code?: string;
  /** How many orders of a call of many have which problem. */
  readonly codes?: Readonly<Record<string, number>>;
  readonly repeated?: boolean;
  readonly late?: boolean;
  /** How many orders of a call of many were confirmed late. */
  readonly lateOrders?: number;
  /** Of a queue's message. */
  readonly messageId?: string;
  /** Where a message is wrong, and what was expected there. */
  readonly mistakes?: readonly string[];
  /** Ids of the rules that refused. */
  readonly refusedBy?: readonly string[];
  /** Ids of the rules that would have refused, were they in force. */
  readonly shadowRefusedBy?: readonly string[];
  /** How many orders no rule applied to: a rule may be missing, or a name mistyped. */
  readonly withoutRules?: number;
  /** What somebody should look at, though the call was answered: a sentence without ids and amounts. */
  readonly warning?: string;
  /** What failed, where it is a fault of ours. */
  readonly fault?: unknown;
  /** Subjects and amounts: told only where the settings say so. */
  readonly payload: { readonly request: unknown; readonly answer: unknown };
};

/** Where logs and metrics go. */
export type Telemetry = {
  readonly record: (record: CallRecord) => void;
  /** Tells that older rules are in force because newer ones could not be loaded. */
  readonly staleRules: (error: unknown, ageMs: number) => void;
  /** Applications likewise. */
  readonly staleApps: (error: unknown, ageMs: number) => void;
  /** Tells that audit rows could not be written, or are not known to be. */
  readonly lostRows: (error: unknown, rows: number) => void;
  /** Tells that what calls crossed was not written or not published, or is not known to be. */
  readonly lostNear: (error: unknown, crossings: number) => void;
};

const NAMESPACE = 'Headroom';

/** The metric that counts an outcome. */
const METRICS: Readonly<Record<CallOutcome, string>> = {
  allowed: 'Allowed',
  refused: 'Refused',
  undecided: 'Undecided',
  confirmed: 'Confirmed',
  rolledBack: 'RolledBack',
  refunded: 'Refunded',
  answered: 'Answered',
  rejected: 'Rejected',
  failed: 'Errors',
};

/**
 * Writes one log line a call, and counts its outcome.
 *
 * Metrics are lines of their own (CloudWatch's embedded metric format), because an alarm on
 * undecided checks must not fall silent with LOG_LEVEL=ERROR. Powertools takes `service`, which stands in
 * both, from POWERTOOLS_SERVICE_NAME.
 */
export function createTelemetry({ logLevel, logPayloads }: Settings): Telemetry {
  const logger = new Logger({ logLevel });
  const metrics = new Metrics({ namespace: NAMESPACE });
  /** Warns of a fault that changed no answer, and counts it. */
  const warn = (
    says: string,
    error: unknown,
    more: object,
    metric: string,
    count: number,
  ): void => {
    logger.warn(says, { ...more, fault: describeFault(error, logPayloads) });
    metrics.addMetric(metric, MetricUnit.Count, count);
    metrics.publishStoredMetrics();
  };
  const stale =
    (what: string, metric: string) =>
    (error: unknown, ageMs: number): void => {
      warn(`${what} could not be loaded; older ones are in force`, error, { ageMs }, metric, 1);
    };
  return {
    record({ payload, fault, ...told }) {
      const counts: CallRecord['orders'] = told.orders ?? { [told.outcome]: 1 };
      const failed =
        (counts.failed ?? 0) + (counts.undecided ?? 0) > 0 || told.messageId !== undefined;
      const codes = told.code === undefined ? Object.keys(told.codes ?? {}) : [told.code];
      const line = {
        ...told,
        ...(fault === undefined ? {} : { fault: describeFault(fault, logPayloads) }),
        ...(logPayloads ? { payload } : {}),
      };
      const isNotable = told.warning !== undefined || told.reason !== undefined;
      if (!failed && !isNotable) logger.info(told.call, line);
      else if (codes.includes('INTERNAL')) logger.error(told.call, line);
      else logger.warn(told.call, line);
      metrics.addDimension('call', told.call);
      for (const [outcome, name] of Object.entries(METRICS)) {
        const count = counts[outcome as CallOutcome]; // the keys of METRICS are the outcomes
        if (count !== undefined) metrics.addMetric(name, MetricUnit.Count, count);
      }
      const late = told.late === true ? 1 : (told.lateOrders ?? 0);
      if (late > 0) metrics.addMetric('Late', MetricUnit.Count, late);
      if (told.withoutRules !== undefined)
        metrics.addMetric('WithoutRules', MetricUnit.Count, told.withoutRules);
      metrics.publishStoredMetrics();
    },
    staleRules: stale('rules', 'StaleRules'),
    staleApps: stale('applications', 'StaleApplications'),
    lostRows(error, rows) {
      warn('audit rows could not be written', error, { rows }, 'AuditLost', rows);
    },
    lostNear(error, crossings) {
      warn('crossed maxima could not be told', error, { crossings }, 'NearLost', crossings);
    },
  };
}

/** What a log says of an error. */
type FaultText = { readonly [name: string]: string | number | FaultText | readonly string[] };

/** Causes that are followed; a chain may be a circle. */
const CAUSES_MAX = 3;

/**
 * Describes an error for the log.
 *
 * The words of our own errors about faults hold no subjects and no amounts. Those of others may (a
 * database quotes the key that it complains about), so without LOG_PAYLOADS only their name, their
 * code and the lines of code are told.
 */
export function describeFault(error: unknown, words: boolean, causes = CAUSES_MAX): FaultText {
  if (!(error instanceof Error)) return { name: typeof error };
  const own = error instanceof HeadroomError;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...codeOf(error),
    ...(words || own ? { message: error.message } : {}),
    stack: frames.map((line) => line.trim()),
    ...(error.cause === undefined || causes === 0
      ? {}
      : { cause: describeFault(error.cause, words, causes - 1) }),
  };
}

function codeOf(error: object): { readonly code?: string | number } {
  if (!('code' in error)) return {};
  const { code } = error;
  return typeof code === 'string' || typeof code === 'number' ? { code } : {};
}
