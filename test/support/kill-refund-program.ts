/**
 * A caller that refunds an order over two documents, so that a test can kill it between two steps.
 * Arguments: address, database, order, instant.
 */
import { MongoClient } from 'mongodb';
import { sessionLimitsOver } from './audit-fixture.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

const [uri = '', databaseName = '', orderId = '', instant = ''] = process.argv.slice(2);
const client = new MongoClient(uri, OWN_WRITES);
const { limits } = sessionLimitsOver(client.db(databaseName), []);
const whereabouts = { kind: 'recorded' } as const;
const request = { appId: 'default', orderId, refundId: 'r-1', amountMinor: 100, whereabouts };
await limits.refund(request, new Date(instant));
await client.close();
