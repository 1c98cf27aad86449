/**
 * A caller that does something with one order over two documents and prints the answer, so that a test
 * can kill it between two steps. Arguments: address, database, rules, subjects' name, order's instant,
 * what it does, and `one-commit` where the call and its audit are to be one.
 */
import { MongoClient } from 'mongodb';
import type { Act } from './broken-orders.ts';
import { perform, subjectsOf } from './broken-orders.ts';
import type { ModelRule } from '../model/model-types.ts';
import { sessionLimitsOver } from './audit-fixture.ts';
import { limitsOver } from './limits-fixture.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

const [uri = '', databaseName = '', rules = '', name = '', instant = '', act = '', mode = ''] =
  process.argv.slice(2);
const client = new MongoClient(uri, OWN_WRITES);
const db = client.db(databaseName);
// Written by the test that starts this program.
const inForce = JSON.parse(rules) as readonly ModelRule[];
const limits =
  mode === 'one-commit' ? sessionLimitsOver(db, inForce).limits : limitsOver(db, inForce);
const answer = await perform(
  limits,
  JSON.parse(act) as Act,
  subjectsOf(name, true),
  new Date(instant),
);
process.stdout.write(JSON.stringify(answer));
await client.close();
