/**
 * A caller that asks for one order over two documents and prints the answer, so that a test can kill it
 * between two steps. Arguments: address, database, rules, subjects' name, order's instant.
 */
import { MongoClient } from 'mongodb';
import type { ModelRule } from '../model/model-types.ts';
import { checkOf, limitsOver } from './limits-fixture.ts';

const [uri = '', databaseName = '', rules = '', name = '', instant = ''] = process.argv.slice(2);
const client = new MongoClient(uri, { retryWrites: false });
// Written by the test that starts this program.
const limits = limitsOver(client.db(databaseName), JSON.parse(rules) as readonly ModelRule[]);
const subjects = { user: name, merchant: name };
const request = checkOf({ orderId: 'o-1', subjects, amountMinor: 300 });
const { kind } = await limits.check(request, new Date(instant));
process.stdout.write(kind);
await client.close();
