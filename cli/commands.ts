import type { Register } from './command.ts';
import { apps } from './commands/apps.ts';
import { backtest } from './commands/backtest.ts';
import { caller } from './commands/caller.ts';
import { check } from './commands/check.ts';
import { deployedConsole } from './commands/console.ts';
import { doctor } from './commands/doctor.ts';
import { freeze } from './commands/freeze.ts';
import { history } from './commands/history.ts';
import { importPayments } from './commands/import.ts';
import { indexes } from './commands/indexes.ts';
import { near } from './commands/near.ts';
import { override } from './commands/override.ts';
import { proposals } from './commands/proposals.ts';
import { reconcile } from './commands/reconcile.ts';
import { release } from './commands/release.ts';
import { rules } from './commands/rules.ts';
import { shard } from './commands/shard.ts';
import { smoke } from './commands/smoke.ts';
import { start } from './commands/start.ts';
import { suggest } from './commands/suggest.ts';
import { terms } from './commands/terms.ts';
import { transaction } from './commands/transaction.ts';
import { usage } from './commands/usage.ts';
import { verify } from './commands/verify.ts';

/** Every command, in the order in which help lists them. A new one is a file in `commands/` and a line here. */
export const COMMANDS: readonly Register[] = [
  start,
  rules,
  backtest,
  suggest,
  usage,
  near,
  transaction,
  history,
  check,
  terms,
  override,
  freeze,
  proposals,
  caller,
  importPayments,
  apps,
  release,
  indexes,
  shard,
  reconcile,
  verify,
  doctor,
  smoke,
  deployedConsole,
];
