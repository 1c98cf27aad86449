/**
 * A caller that asks for one order over two documents and prints the answer, so that a test can kill it
 * between two steps. Arguments: address, database, rules, subjects' name, order's instant, and
 * `one-commit` where the call and its audit are to be one.
 */
import { MongoClient } from 'mongodb';
import type { ModelRule } from '../model/model-types.ts';
import { sessionLimitsOver } from './audit-fixture.ts';
import { checkOf, limitsOver } from './limits-fixture.ts';

const [uri = '', databaseName = '', rules = '', name = '', instant = '', mode = ''] =
  process.argv.slice(2);
const client = new MongoClient(uri, { retryWrites: false });
const db = client.db(databaseName);
// Written by the test that starts this program.
const inForce = JSON.parse(rules) as readonly ModelRule[];
const limits =
  mode === 'one-commit' ? sessionLimitsOver(db, inForce).limits : limitsOver(db, inForce);
const subjects = { user: name, merchant: name };
const request = checkOf({ orderId: 'o-1', subjects, amountMinor: 300 });
const { kind } = await limits.check(request, new Date(instant));
process.stdout.write(kind);
await client.close();
