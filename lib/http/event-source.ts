import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import { describeMistake } from '../shared/errors.ts';

/**
 * Fields of events of AWS, which no request has: of queues, topics, streams and buckets; of Kafka; of message
 * brokers and change streams; of buses and schedules; of logs.
 * Source: AWS Lambda developer guide, "Invoking Lambda with events from other AWS services".
 */
const OF_EVENTS = ['Records', 'records', 'eventSource', 'detail-type', 'awslogs'] as const;

const EXPECTED =
  'a request, or an event of API Gateway. Nothing was done. Send messages to the function settle, through a queue: docs/messages.md shows how';

/** @throws TypeError with the source of an event that is no request: then Lambda tells that it failed */
export function refuseEvent(event: unknown): void {
  const field = OF_EVENTS.find((name) => ownField(event, name) !== undefined);
  if (field === undefined) return;
  const records = ownField(event, field);
  const first: unknown = Array.isArray(records) ? records[0] : undefined;
  const isOfRecord = SOURCES.some((name) => ownField(first, name) !== undefined);
  throw isOfRecord
    ? unknownSource(first, [field, 0], EXPECTED)
    : unknownSource(event, [], EXPECTED);
}

const SOURCES = ['eventSource', 'EventSource', 'source'] as const;

/** Names where an event comes from, or else what it is. */
export function unknownSource(value: unknown, at: Path, expected: string): TypeError {
  const name = SOURCES.find((each) => typeof ownField(value, each) === 'string');
  const place = name === undefined ? at : [...at, name];
  const shown = name === undefined ? value : ownField(value, name);
  return new TypeError(describeMistake(mistakeAt(place, shown, expected), 'the event'));
}
