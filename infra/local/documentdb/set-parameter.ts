import { BSON } from 'bson';
import { CommandError } from './errors.ts';
import { answer, type Handler } from './handler.ts';
import type { Transactions } from './transactions.ts';

/** The one server parameter that can be set. Source: MongoDB manual, "mongod Parameters". */
const LIFETIME = 'transactionLifetimeLimitSeconds';

/** What every command has beside its own fields. */
const COMMON: ReadonlySet<string> = new Set(['setParameter', 'lsid', '$db', '$clusterTime']);

/** Sets how long a transaction may last. Answers what it was. */
export function setParameter(transactions: Transactions): Handler {
  return ({ fields }) => {
    const seconds = fields.get(LIFETIME);
    const strange = [...fields.keys()].find((name) => name !== LIFETIME && !COMMON.has(name));
    if (strange !== undefined)
      throw new CommandError(72, `attempted to set unrecognized parameter [${strange}]`);
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1)
      throw new CommandError(2, `${LIFETIME}: ${String(seconds)}, expected a whole number from 1`);
    const was = transactions.lifetimeSeconds;
    transactions.lifetimeSeconds = seconds;
    return Promise.resolve(answer(BSON.serialize({ was, ok: 1 })));
  };
}
