import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import type { Handlers } from '../support/handlers.ts';
import { handlersOf } from '../support/handlers.ts';
import { batchOf, busEvent, topicEvent } from '../support/queue-events.ts';
import { serviceOn } from '../support/service-on-database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const database = useDatabase();
let handlers: Handlers;
beforeAll(async () => {
  handlers = handlersOf(await serviceOn(database, [USER_DAY]));
});

const ENDED = { orderId: 'o-1', status: 'SUCCESS', subjects: { user: 'u-1' } };

// prettier-ignore
const EVENTS = [
  { event: batchOf(ENDED),                                                  named: 'Records[0].eventSource is "aws:sqs"' },
  { event: topicEvent(ENDED),                                               named: 'Records[0].EventSource is "aws:sns"' },
  { event: { Records: [{ eventSource: 'aws:kinesis' }] },                   named: 'Records[0].eventSource is "aws:kinesis"' },
  { event: { Records: [{ eventSource: 'aws:dynamodb' }] },                  named: 'Records[0].eventSource is "aws:dynamodb"' },
  { event: { Records: [{ eventSource: 'aws:s3' }] },                        named: 'Records[0].eventSource is "aws:s3"' },
  { event: { eventSource: 'aws:kafka', records: {} },                       named: 'eventSource is "aws:kafka"' },
  { event: { eventSource: 'aws:rmq', rmqMessagesByQueue: {} },              named: 'eventSource is "aws:rmq"' },
  { event: { eventSource: 'aws:docdb', events: [] },                        named: 'eventSource is "aws:docdb"' },
  { event: { source: 'aws.events', 'detail-type': 'Scheduled Event' },      named: 'source is "aws.events"' },
  { event: busEvent(ENDED),                                                 named: 'source is "payments"' },
  { event: { awslogs: { data: '' } },                                       named: 'the event is an object with "awslogs"' },
  { event: { Records: [] },                                                 named: 'the event is an object with "Records"' },
];

describe('an event of a queue, a topic or a stream that invokes a function itself', () => {
  it.each(EVENTS)('ends in an error of each function: $named', async ({ event, named }) => {
    for (const [name, handler] of Object.entries(handlers)) {
      const invoked = handler(event, { awsRequestId: 'r-1' });
      await expect(invoked, name).rejects.toThrow(`${named}, expected a request`);
    }
    expect(await database.db.collection('counters').countDocuments()).toBe(0);
  });

  it('is none where a caller sends fields of its own: that is a request with mistakes', async () => {
    const answer = await handlers.confirm({ orderId: 'o-1', event: 'x' }, { awsRequestId: 'r-1' });
    expect(answer).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
