/**
 * A caller of many orders that prints the answers, so that a test can kill it between two steps.
 * Arguments: address, database, the orders' act, the case's name, the orders' instant.
 */
import { MongoClient } from 'mongodb';
import type { ManyAct } from '../fault/many-rows.ts';
import { MANY_RULES, performMany } from '../fault/many-rows.ts';
import { limitsOver } from './limits-fixture.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

const [uri = '', databaseName = '', act = '', name = '', instant = ''] = process.argv.slice(2);
const client = new MongoClient(uri, OWN_WRITES);
const limits = limitsOver(client.db(databaseName), MANY_RULES);
// Written by the test that starts this program.
const answers = await performMany(limits, JSON.parse(act) as ManyAct, name, new Date(instant));
process.stdout.write(answers.join());
await client.close();
