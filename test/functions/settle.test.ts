import { storedCounters } from '../support/stored-buckets.ts';
import type { SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { createSettleHandler } from '../../lib/edge/settle-handler.ts';
import { useDatabase } from '../support/database.ts';
import { checkOf, refundOf } from '../support/limits-fixture.ts';
import { batchOf, busEvent, messageOf, topicEvent } from '../support/queue-events.ts';
import { serviceOn } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';
import { readStored } from '../../lib/audit/reconcile/stored-counters.ts';

const RULES = [{ ...USER_DAY, max: { amount: 100_000 } }];

/** How order o-… of user u-1 ended. */
const ended = (orderId: string, status: string, more: object = {}): object => ({
  orderId,
  status,
  subjects: { user: 'u-1' },
  ...more,
});

const database = useDatabase();
let limits: Limits;
let settle: ReturnType<typeof createSettleHandler>;

beforeEach(async () => {
  for (const name of ['counters', 'audit', 'refunds'])
    await database.db.collection(name).deleteMany({});
  await useService('off');
});

async function useService(AUDIT: 'off' | 'best-effort' | 'session'): Promise<void> {
  const service = await serviceOn(database, RULES, { AUDIT });
  ({ limits } = service);
  settle = createSettleHandler(limits.settleMany, service);
}

/** All documents, of their buckets what they count. */
async function stored(): Promise<readonly unknown[]> {
  const found = await database.db
    .collection('counters')
    .find({}, { sort: { _id: 1 } })
    .toArray();
  const now = new Date(0);
  return found.map((one) => ({ ...one, buckets: readStored({ ...one, now }).buckets }));
}

const o1 = checkOf({ orderId: 'o-1', subjects: { user: 'u-1' } });

async function hold(...orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds) await limits.check({ ...o1, orderId });
}

/** The messages that a batch wants delivered again. */
async function failedOf(event: SQSEvent): Promise<readonly string[]> {
  const { batchItemFailures } = await settle(event, { awsRequestId: 'request-1' });
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

describe('queue-1: a batch of ten results with one poison message', () => {
  it('settles nine and has one delivered again; all ten once more change nothing for the nine', async () => {
    const orders = Array.from({ length: 9 }, (_, index) => `o-${index}`);
    await hold(...orders);
    const results = orders.map((order, index) =>
      ended(order, index % 3 === 0 ? 'FAIL' : 'SUCCESS'),
    );
    const batch = batchOf(...results.slice(0, 4), '{"orderId":"o-', ...results.slice(4));
    expect(await failedOf(batch)).toEqual(['m-4']);
    const after = await stored();
    expect(after).toMatchObject([{ open: 0, buckets: [{ usedCount: 6, heldCount: 0 }] }]);
    expect(await failedOf(batch)).toEqual(['m-4']);
    expect(await stored()).toEqual(after);
  });
});

describe('messages of one batch', () => {
  it('are settled though one of them names its order alone, where no audit can find it', async () => {
    await hold('o-1', 'o-2');
    const batch = batchOf(
      ended('o-1', 'SUCCESS'),
      { orderId: 'o-2', status: 'SUCCESS' },
      ended('o-2', 'SUCCESS'),
    );
    expect(await failedOf(batch)).not.toContain('m-0');
    expect(await stored()).toMatchObject([{ buckets: [{ usedCount: 2 }] }]);
  });

  it('are plain or events of EventBridge, and name their application', async () => {
    await hold('o-1', 'o-2');
    await limits.check({ ...o1, amountMinor: 7, appId: 'wallet' });
    const batch = batchOf(
      ended('o-1', 'SUCCESS', { amount: 90 }),
      busEvent(ended('o-2', 'FAIL', { reason: 'no funds' })),
      busEvent(ended('o-1', 'SUCCESS', { appId: 'wallet' })),
    );
    expect(await failedOf(batch)).toEqual([]);
    expect(await stored()).toMatchObject([
      { open: 0, buckets: [{ usedAmount: 97, usedCount: 2, heldCount: 0 }] },
    ]);
  });
});

describe('a confirm that comes before its check', () => {
  it('is delivered again until the check is there, and counts once then', async () => {
    const batch = batchOf(ended('o-1', 'SUCCESS'), ended('o-2', 'SUCCESS'));
    await hold('o-2');
    expect(await failedOf(batch)).toEqual(['m-0']);
    await hold('o-1');
    expect(await failedOf(batch)).toEqual([]);
    expect(await failedOf(batch)).toEqual([]);
    expect(await stored()).toMatchObject([{ open: 0, buckets: [{ usedCount: 2 }] }]);
  });
});

const nothing = () => Promise.resolve();
const held = () => hold('o-1');
const checkedAnHourAgo = () => limits.check(o1, new Date(Date.now() - 3_600_000));
const checkedAgain = async () => {
  await checkedAnHourAgo();
  await hold('o-1');
};
const endedBy = (status: string) => async () => {
  await hold('o-1');
  await failedOf(batchOf(ended('o-1', status)));
};

const refunded = async () => {
  await useService('best-effort');
  await endedBy('SUCCESS')();
  await limits.refund(refundOf('o-1', 'r-1'));
};

const SUCCESS = ended('o-1', 'SUCCESS');
const FAIL = ended('o-1', 'FAIL');
const OF_LESS = ended('o-1', 'SUCCESS', { amount: 5 });
const FORGED = { orderId: 'o-1', status: 'FAIL', reservation: 'abc' };

/** The meaning of each outcome for the queue: the table of docs/messages.md. */
// prettier-ignore
const OUTCOMES = [
  { what: 'a SUCCESS of an order that is held',              before: held,               body: SUCCESS, isDone: true },
  { what: 'a FAIL of an order that is held',                 before: held,               body: FAIL,    isDone: true },
  { what: 'a SUCCESS after the hold expired',                before: checkedAnHourAgo,   body: SUCCESS, isDone: true },
  { what: 'a FAIL after the hold expired',                   before: checkedAnHourAgo,   body: FAIL,    isDone: true },
  { what: 'the repeat of a FAIL',                            before: endedBy('FAIL'),    body: FAIL,    isDone: true },
  { what: 'a SUCCESS of an order that was checked again since its hold expired', before: checkedAgain, body: SUCCESS, isDone: true },
  { what: 'the repeat of a SUCCESS',                         before: endedBy('SUCCESS'), body: SUCCESS, isDone: true },
  { what: 'a SUCCESS of an order that nobody knows (NOT_FOUND)',                 before: nothing,            body: SUCCESS, isDone: false },
  { what: 'a FAIL of an order that nobody knows: nothing is held (NOT_FOUND)',   before: nothing,            body: FAIL,    isDone: true },
  { what: 'a SUCCESS of an order that was rolled back (ALREADY_ROLLED_BACK)',    before: endedBy('FAIL'),    body: SUCCESS, isDone: false },
  { what: 'a FAIL of an order that was confirmed (ALREADY_CONFIRMED)',           before: endedBy('SUCCESS'), body: FAIL,    isDone: false },
  { what: 'a SUCCESS of another amount than was confirmed (ALREADY_CONFIRMED)',  before: endedBy('SUCCESS'), body: OF_LESS, isDone: false },
  { what: 'the repeat of a SUCCESS that was refunded since', before: refunded,           body: SUCCESS, isDone: true },
  { what: 'a FAIL of an order that was refunded (ALREADY_CONFIRMED)',            before: refunded,           body: FAIL,    isDone: false },
  { what: 'a reservation that is none (INVALID_REQUEST)',    before: held,               body: FORGED,  isDone: false },
  { what: 'text that is no JSON (INVALID_REQUEST)',          before: nothing,            body: 'order o-1 succeeded', isDone: false },
];

describe('what a queue is told', () => {
  it.each(OUTCOMES)('$what: is done ($isDone), or delivered again', async (row) => {
    await row.before();
    expect(await failedOf(batchOf(row.body))).toEqual(row.isDone ? [] : ['m-0']);
  });

  it('a FAIL by the reservation of a hold that expired and was checked again is done (RESERVATION_REPLACED)', async () => {
    const old = await checkedAnHourAgo();
    if (old.kind !== 'allowed') throw new Error('there is room');
    await hold('o-1');
    const before = await stored();
    const { reservation } = old;
    expect(await failedOf(batchOf({ orderId: 'o-1', status: 'FAIL', reservation }))).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it('an order older than the memory of its subject is delivered again (FORGOTTEN)', async () => {
    const many = Array.from({ length: 257 }, (_, index) => `o-${index}`);
    for (let from = 0; from < many.length; from += 100) {
      const part = many.slice(from, from + 100);
      const checks = part.map((orderId) => ({ ...o1, orderId }));
      await limits.checkMany(checks, false);
      expect(await failedOf(batchOf(...part.map((order) => ended(order, 'SUCCESS'))))).toEqual([]);
    }
    // One check in a few, by chance, cuts what a document remembers.
    const remembered = async () =>
      (await storedCounters(database.db).findOne({ _id: 'user:u-1' }))?.settled as object[];
    for (let n = 0; (await remembered()).length > 150; n++) await hold(`next-${n}`);
    const batch = batchOf(ended('o-0', 'SUCCESS'), ended('o-0', 'FAIL'), ended('o-256', 'SUCCESS'));
    expect(await failedOf(batch)).toEqual(['m-0', 'm-1']);
  });
});

/** Events whose answer nobody reads: they must end in an error, or a payment that is not settled is lost. */
describe('what comes from no queue', () => {
  const CONTEXT = { awsRequestId: 'request-1' };
  const used = [{ open: 0, buckets: [{ usedCount: 1, heldCount: 0 }] }];

  it.each([
    { what: 'a notification of SNS', event: topicEvent },
    { what: 'an event of EventBridge', event: busEvent },
    {
      what: 'an event of EventBridge in a notification of SNS',
      event: (body: unknown) => topicEvent(busEvent(body)),
    },
  ])('$what is settled, and throws where a queue would deliver again', async ({ event }) => {
    const told = event(ended('o-1', 'SUCCESS'));
    await expect(settle(told, CONTEXT)).rejects.toThrow(
      'The message was not settled (NOT_FOUND). Lambda tries this event twice more',
    );
    await hold('o-1');
    for (let n = 0; n < 2; n++) {
      expect(await settle(told, CONTEXT)).toEqual({ batchItemFailures: [] });
      expect(await stored()).toMatchObject(used);
    }
    const other = event(ended('o-1', 'FAIL', { amount: 'u-secret' }));
    await expect(settle(other, CONTEXT)).rejects.toThrow(/^(?!.*u-secret).*INVALID_REQUEST/);
    expect(await stored()).toMatchObject(used);
  });

  it('a topic of SNS that tells of another thing than a settlement throws', async () => {
    await expect(settle(topicEvent('order o-1 succeeded'), CONTEXT)).rejects.toThrow(
      'INVALID_REQUEST',
    );
  });

  // prettier-ignore
  it.each([
    { event: { Records: [{ eventSource: 'aws:s3', s3: {} }] },           named: 'Records[0].eventSource is "aws:s3"' },
    { event: { Records: [{ eventSource: 'aws:kinesis', kinesis: {} }] }, named: 'Records[0].eventSource is "aws:kinesis"' },
    { event: { Records: [{ eventSource: 'aws:dynamodb' }] },             named: 'Records[0].eventSource is "aws:dynamodb"' },
    { event: { eventSource: 'aws:kafka', records: {} },                  named: 'eventSource is "aws:kafka"' },
    { event: { Records: [messageOf('m-0', SUCCESS), { eventSource: 'aws:s3' }] }, named: 'Records[1].eventSource is "aws:s3"' },
    { event: { Records: [{ EventSource: 'aws:sns' }] },                  named: 'Records[0].EventSource is "aws:sns"' },
    { event: { Records: [{ ...messageOf('m-0', SUCCESS), messageId: 7 }] }, named: 'Records[0].eventSource is "aws:sqs"' },
    { event: { Records: [null] },                                        named: 'Records[0] is null' },
    { event: [messageOf('m-0', SUCCESS)],                                named: 'the event is a list of 1' },
    { event: SUCCESS,                                                    named: 'the event is an object with "orderId", "status", "subjects"' },
    { event: 'SUCCESS',                                                  named: 'the event is "SUCCESS"' },
    { event: null,                                                       named: 'the event is null' },
    { event: {},                                                         named: 'the event is an empty object' },
  ])('anything else ends in an error that names its source: $named', async ({ event, named }) => {
    await hold('o-1');
    const before = await stored();
    const invoked = settle(event as SQSEvent, CONTEXT);
    await expect(invoked).rejects.toThrow(`${named}, expected a batch of a queue (SQS)`);
    expect(await stored()).toEqual(before);
  });
});

describe('a FIFO queue', () => {
  const fifo = (...messages: readonly (readonly [string, unknown])[]): SQSEvent => ({
    Records: messages.map(([group, body], index) => messageOf(`m-${index}`, body, group)),
  });

  it.each([
    { what: 'no JSON', poison: '{', why: 'nobody can read it' },
    { what: 'too early', poison: ended('unknown', 'SUCCESS'), why: 'its check may come' },
    { what: 'too late', poison: ended('o-0', 'FAIL'), why: 'the order is confirmed' },
  ])('delivers the rest of a group again after a message that is $what: $why', async (row) => {
    await hold('o-0', 'o-1', 'o-2', 'o-3');
    const batch = fifo(
      ['a', ended('o-0', 'SUCCESS')],
      ['a', row.poison],
      ['b', ended('o-2', 'SUCCESS')],
      ['a', ended('o-1', 'SUCCESS')],
      ['b', ended('o-3', 'FAIL')],
    );
    expect(await failedOf(batch)).toEqual(['m-1', 'm-3']);
    expect(await failedOf(batch)).toEqual(['m-1', 'm-3']);
    const [, , , other] = batch.Records;
    if (other === undefined) throw new Error('there are five');
    expect(await failedOf({ Records: [other] })).toEqual([]);
    expect(await stored()).toMatchObject([{ open: 0, buckets: [{ usedCount: 3 }] }]);
  });

  it('never lets a later message of a group pass one about the same order', async () => {
    const batch = fifo(['a', ended('o-1', 'SUCCESS')], ['a', ended('o-1', 'FAIL')]);
    expect(await failedOf(batch)).toEqual(['m-0', 'm-1']); // the check has not come yet
    await hold('o-1');
    expect(await failedOf(batch)).toEqual(['m-1']);
    expect(await stored()).toMatchObject([{ buckets: [{ usedCount: 1 }] }]);
  });
});

describe.each(['best-effort', 'session'] as const)(
  'orders of two applications under one id, in one batch, AUDIT=%s',
  (mode) => {
    beforeEach(() => useService(mode));

    const check = (appId: string, user = 'u-1') =>
      limits.check({ ...checkOf({ orderId: 'o-1', subjects: { user } }), appId });
    const message = (appId: string, more: object = {}) => ({
      appId,
      orderId: 'o-1',
      status: 'SUCCESS',
      ...more,
    });
    const failedOf = async (...bodies: readonly object[]): Promise<readonly string[]> => {
      const { batchItemFailures } = await settle(batchOf(...bodies), { awsRequestId: 'r' });
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    };
    const asked = (appId: string, to: 'confirmed' | 'rolledBack' = 'confirmed') => ({
      appId,
      orderId: 'o-1',
      to,
      whereabouts: { kind: 'subjects', subjects: { user: 'u-1' } } as const,
    });

    it.each(['u-1', 'u-2'])(
      'are settled each, if they are named by id alone and the second is of %s',
      async (user) => {
        await check('shop');
        await check('wallet', user);
        expect(await failedOf(message('shop'), message('wallet'))).toEqual([]);
      },
    );

    it('are told their own refunds', async () => {
      await check('shop');
      await check('wallet');
      const both = [asked('shop'), asked('wallet')];
      await limits.settleMany(both);
      await limits.refund({ ...refundOf('o-1', 'r-1'), appId: 'wallet' });
      const told = await limits.settleMany(both);
      expect(told).toMatchObject([
        { kind: 'answered', answer: { state: 'confirmed' } },
        { kind: 'answered', answer: { state: 'refunded' } },
      ]);
    });

    it('are told as their own rows have them, if their home has forgotten them', async () => {
      await check('shop');
      await check('wallet');
      const both = [asked('shop'), asked('wallet', 'rolledBack')];
      const first = await limits.settleMany(both);
      await database.db.collection('counters').deleteMany({});
      const told = await limits.settleMany(both);
      expect(told.map(({ kind }) => kind)).toEqual(first.map(({ kind }) => kind));
      expect(told).toMatchObject([
        { answer: { state: 'confirmed', repeated: true } },
        { answer: { state: 'rolledBack', repeated: true } },
      ]);
    });

    it('are no word about each other: a confirm before its check is delivered again', async () => {
      const by = { subjects: { user: 'u-1' } };
      await check('wallet');
      expect(await failedOf(message('wallet', by))).toEqual([]);
      expect(await failedOf(message('shop', by), message('wallet', by))).toEqual(['m-0']);
    });
  },
);
