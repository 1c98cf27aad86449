import type { Command, FieldValue } from './command.ts';
import { CommandError } from './errors.ts';
import { answer, type Handler } from './handler.ts';
import { OK } from './command.ts';

/** Commands that a member answers that is not the primary. */
const ANSWERED: ReadonlySet<string> = new Set([
  'hello',
  'isMaster',
  'ismaster',
  'ping',
  'buildInfo',
  'buildinfo',
  'connectionStatus',
  'endSessions',
  'refreshSessions',
  'serverStatus',
  'setParameter',
  'getParameter',
]);

/** An hour: longer is a mistake. */
const SECONDS_MAX = 3_600;

/**
 * Whether this one member is the primary. After `replSetStepDown` it is none for so many seconds, ends its
 * transactions, and is elected again, as a set of one member does.
 * Source: mongodb/mongo, replication_coordinator_impl.cpp, `stepDown`; MongoDB manual, "replSetStepDown".
 */
export class SteppingDown {
  #untilMs = 0;

  /** Whether it takes writes. */
  readonly isPrimary = (): boolean => performance.now() >= this.#untilMs;

  /** @throws CommandError 10107 for what the primary alone answers, while it is none */
  refuse({ name }: Pick<Command, 'name'>): void {
    if (!this.isPrimary() && !ANSWERED.has(name)) throw new CommandError(10107, 'not primary');
  }

  /** @param onStep what else happens */
  handler(onStep: () => Promise<void>): Handler {
    return async ({ fields }) => {
      const seconds = fields.get('replSetStepDown');
      if (!isWithin(seconds))
        throw new CommandError(
          2,
          `replSetStepDown: ${String(seconds)}, expected 1 to ${SECONDS_MAX}`,
        );
      this.#untilMs = performance.now() + seconds * 1_000;
      await onStep();
      return answer(OK);
    };
  }
}

function isWithin(seconds: FieldValue): seconds is number {
  return Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= SECONDS_MAX;
}
