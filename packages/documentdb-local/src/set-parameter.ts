import { BSON } from 'bson';
import type { FieldValue } from './command.ts';
import { CommandError } from './errors.ts';
import { answer, type Handler } from './handler.ts';
import type { Transactions } from './transactions.ts';

/** The one server parameter that can be set. Source: MongoDB manual, "mongod Parameters". */
const LIFETIME = 'transactionLifetimeLimitSeconds';

/** A day: timers do not reach far beyond. */
const SECONDS_MAX = 86_400;

/** The fields that every command has beside its own. */
const COMMON: ReadonlySet<string> = new Set(['setParameter', 'lsid', '$db', '$clusterTime']);

/** Sets how long a transaction may last. Answers what it was. */
export function setParameter(transactions: Transactions): Handler {
  return ({ fields }) => {
    const seconds = fields.get(LIFETIME);
    const strange = [...fields.keys()].find((name) => name !== LIFETIME && !COMMON.has(name));
    if (strange !== undefined)
      throw new CommandError(72, `attempted to set unrecognized parameter [${strange}]`);
    if (!isWithin(seconds))
      throw new CommandError(2, `${LIFETIME}: ${String(seconds)}, expected 1 to ${SECONDS_MAX}`);
    const was = transactions.lifetimeSeconds;
    transactions.lifetimeSeconds = seconds;
    return Promise.resolve(answer(BSON.serialize({ was, ok: 1 })));
  };
}

/**
 * Tells the one parameter that is asked for here.
 * Source: mongodb/mongo, src/mongo/db/commands/parameters.cpp, `CmdGet`.
 */
export function getParameter(ttlMonitorEnabled: boolean): Handler {
  return ({ fields }) => {
    if (!fields.has('ttlMonitorEnabled')) throw new CommandError(72, 'no option found to get');
    return Promise.resolve(answer(BSON.serialize({ ttlMonitorEnabled, ok: 1 })));
  };
}

function isWithin(seconds: FieldValue): seconds is number {
  return Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= SECONDS_MAX;
}
