import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { HeadroomError } from '../shared/errors.ts';
import type { Crowded } from '../limits/context.ts';

/** The metric that counts each outcome of a call. */
const METRICS = {
  allowed: 'Allowed',
  refused: 'Refused',
  undecided: 'Undecided',
  heldBack: 'HeldBack',
  confirmed: 'Confirmed',
  rolledBack: 'RolledBack',
  refunded: 'Refunded',
  answered: 'Answered',
  rejected: 'Rejected',
  failed: 'Errors',
} as const;

/** How a call ended: as answered, as the caller's mistake, or as a fault of ours. */
export type CallOutcome = keyof typeof METRICS;

/** The log line of a call of one order or many, or of a message that could not be settled. JSON leaves out what is undefined. */
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
  readonly reason?: string;
  readonly code?: string;
  readonly codes?: Readonly<Record<string, number>> | undefined;
  readonly repeated?: boolean | undefined;
  readonly late?: boolean;
  /** Orders of a call of many. */
  readonly lateOrders?: number | undefined;
  readonly messageId?: string | undefined;
  /** Where a message is wrong, and what was expected there. */
  readonly mistakes?: readonly string[] | undefined;
  readonly refusedBy?: readonly string[] | undefined;
  readonly shadowRefusedBy?: readonly string[] | undefined;
  /** Orders that no rule applied to. */
  readonly withoutRules?: number | undefined;
  /** A sentence without ids and amounts that somebody should read, though the call was answered. */
  readonly warning?: string | undefined;
  readonly fault?: unknown;
  /** Subjects and amounts: logged only with LOG_PAYLOADS. */
  readonly payload: { readonly request: unknown; readonly answer: unknown };
};

/** Where logs and metrics go. */
export type Telemetry = {
  readonly record: (record: CallRecord) => void;
  readonly staleRules: (error: unknown, ageMs: number) => void;
  readonly staleApps: (error: unknown, ageMs: number) => void;
  /** Audit rows were not written, or may not have been. */
  readonly lostRows: (error: unknown, rows: number) => void;
  /** Crossings, or events of reviews, were not written or not published, or may not have been. */
  readonly lostNear: (error: unknown, crossings: number) => void;
  /** A subject has nearly as much of something as it may have. */
  readonly crowded: (subject: Crowded) => void;
};

/** How often a process says of each that a subject is crowded, at most, in milliseconds: every check meets it. */
const CROWDED_EVERY_MS = 10_000;
const CROWDED = {
  shares: { what: 'open holds', metric: 'OpenSharesHigh' },
  pairs: { what: 'windows with other subjects', metric: 'PairsHigh' },
} as const satisfies Readonly<Record<Crowded['of'], object>>;

/** What is logged: by Powertools' levels, and whether with requests and answers. */
type Logging = {
  readonly logLevel: NonNullable<NonNullable<ConstructorParameters<typeof Logger>[0]>['logLevel']>;
  readonly logPayloads: boolean;
};

/** Logs one line a call, and counts its outcome in a line of its own, so that alarms work with LOG_LEVEL=ERROR. */
export function createTelemetry({ logLevel, logPayloads }: Logging): Telemetry {
  const logger = new Logger({ logLevel });
  const metrics = new Metrics({ namespace: 'Headroom' });
  const tell = (says: string, more: object, metric: string, count = 1): void => {
    logger.warn(says, { ...more });
    metrics.addMetric(metric, MetricUnit.Count, count);
    metrics.publishStoredMetrics();
  };
  const warn = (says: string, error: unknown, more: object, metric: string, count = 1): void => {
    tell(says, { ...more, fault: describeFault(error, logPayloads) }, metric, count);
  };
  const quietUntilMs = { shares: 0, pairs: 0 };
  return {
    record({ payload, fault, ...told }) {
      const counts: CallRecord['orders'] = told.orders ?? { [told.outcome]: 1 };
      const failed =
        (counts.failed ?? 0) + (counts.undecided ?? 0) > 0 || told.messageId !== undefined;
      const codes = told.code === undefined ? Object.keys(told.codes ?? {}) : [told.code];
      const line = {
        ...told,
        fault: fault === undefined ? undefined : describeFault(fault, logPayloads),
        payload: logPayloads ? payload : undefined,
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
    staleRules(error, ageMs) {
      warn(`rules ${STALE}`, error, { ageMs }, 'StaleRules');
    },
    staleApps(error, ageMs) {
      warn(`applications ${STALE}`, error, { ageMs }, 'StaleApplications');
    },
    lostRows(error, rows) {
      warn('audit rows could not be written', error, { rows }, 'AuditLost', rows);
    },
    lostNear(error, crossings) {
      warn(
        'crossed maxima or reviews could not be told',
        error,
        { crossings },
        'NearLost',
        crossings,
      );
    },
    crowded(subject) {
      const nowMs = performance.now();
      if (nowMs < quietUntilMs[subject.of]) return;
      quietUntilMs[subject.of] = nowMs + CROWDED_EVERY_MS;
      const { what, metric } = CROWDED[subject.of];
      tell(`a subject has nearly as many ${what} as it may have`, subject, metric);
    },
  };
}

const STALE = 'could not be loaded; older ones are in force';

type FaultText = { readonly [name: string]: string | number | FaultText | readonly string[] };

/** Causes that are followed; a chain may be a circle. */
const CAUSES_MAX = 3;

/** Describes an error for the log. @param words whether to show messages that may have subjects and amounts */
export function describeFault(error: unknown, words: boolean, causes = CAUSES_MAX): FaultText {
  if (!(error instanceof Error)) return { name: typeof error };
  const own = error instanceof HeadroomError;
  const code = 'code' in error ? error.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(words || own ? { message: error.message } : {}),
    stack: frames.map((line) => line.trim()),
    ...(error.cause === undefined || causes === 0
      ? {}
      : { cause: describeFault(error.cause, words, causes - 1) }),
  };
}
