import fc from 'fast-check';
import { ANY_CHARACTER } from '../support/any-character.ts';
import { describe, expect, it } from 'vitest';
import { readSettlementMessage } from '../../lib/edge/settle-handler.ts';
import { mistakesOf } from '../support/as-read.ts';
import { busEvent, snsNotification } from '../support/queue-events.ts';
import { SEED, times } from '../support/extent.ts';

const END = { orderId: 'o-1', subjects: { user: 'u-1' }, status: 'SUCCESS' };
const WHEREABOUTS = { kind: 'subjects', subjects: { user: 'u-1' } };

function pathsIn(body: unknown, otherwise?: string): readonly string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return mistakesOf(() => readSettlementMessage(text, otherwise)).map(({ path }) => path);
}

describe('a message', () => {
  it.each([
    {
      body: END,
      is: { appId: 'default', orderId: 'o-1', to: 'confirmed', whereabouts: WHEREABOUTS },
      why: 'who names no application is the default one',
    },
    {
      body: busEvent({ ...END, appId: 'wallet', status: 'FAIL', reason: 'no funds' }),
      is: {
        appId: 'wallet',
        orderId: 'o-1',
        to: 'rolledBack',
        whereabouts: WHEREABOUTS,
        reason: 'no funds',
      },
      why: 'an event of EventBridge holds it as its detail',
    },
    {
      body: snsNotification(END),
      is: { appId: 'default', orderId: 'o-1', to: 'confirmed', whereabouts: WHEREABOUTS },
      why: 'a notification of SNS holds it as its text',
    },
    {
      body: snsNotification(busEvent(END)),
      is: { appId: 'default', orderId: 'o-1', to: 'confirmed', whereabouts: WHEREABOUTS },
      why: 'a rule of EventBridge may send its events to a topic',
    },
    {
      body: { orderId: 'o-1', status: 'SUCCESS', reservation: 'abc', amount: 0 },
      is: {
        appId: 'default',
        orderId: 'o-1',
        to: 'confirmed',
        amountMinor: 0,
        whereabouts: { kind: 'reservation', token: 'abc' },
      },
      why: 'a reservation says where the hold is',
    },
  ])('$body is read, because $why', ({ body, is }) => {
    expect(readSettlementMessage(JSON.stringify(body), 'default')).toEqual(is);
  });

  it.each([
    { body: '', paths: [''], why: 'it is empty' },
    { body: 'order o-1 succeeded', paths: [''], why: 'it is no JSON' },
    { body: [END], paths: [''], why: 'one message is one order' },
    { body: { ...END, status: 'DONE' }, paths: ['status'], why: 'nobody knows the state' },
    { body: { ...END, orderId: 7 }, paths: ['orderId'], why: 'a number is no id' },
    { body: { ...END, colour: 'red' }, paths: ['colour'], why: 'nobody knows the field' },
    { body: { ...END, appId: '' }, paths: ['appId'], why: 'an application has a name' },
    { body: { ...END, status: 'FAIL', amount: 5 }, paths: ['amount'], why: 'FAIL gives back all' },
    { body: { detail: END }, paths: ['orderId', 'status', 'detail'], why: 'no bus' },
    { body: snsNotification('it succeeded'), paths: [''], why: 'its text is no JSON' },
    { body: busEvent(undefined), paths: ['detail'], why: 'it is empty' },
    {
      body: busEvent({ ...END, amount: 1.5, reservation: 'abc' }),
      paths: ['detail.amount', 'detail.subjects'],
      why: 'two things are wrong',
    },
    {
      body: JSON.stringify(busEvent(END)).replace('"o-1"', '"o-1","orderId":"o-2"'),
      paths: ['detail.orderId'],
      why: 'two readers would read two orders',
    },
  ])('$body is a mistake, because $why', ({ body, paths }) => {
    expect(pathsIn(body, 'default')).toEqual(paths);
  });

  it('names its application where applications sign', () => {
    expect(pathsIn(END)).toEqual(['appId']);
    expect(pathsIn(busEvent(END))).toEqual(['detail.appId']);
    expect(pathsIn({ ...END, appId: 'wallet' })).toEqual([]);
  });

  it('is read or refused, whatever it is', () => {
    const anything = fc.oneof(
      fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
      fc.json({ maxDepth: 3 }),
      fc.jsonValue({ maxDepth: 2 }).map((detail) => JSON.stringify(busEvent(detail))),
    );
    fc.assert(
      fc.property(anything, (body) => {
        expect(pathsIn(body, 'default').length).toBeGreaterThan(0);
      }),
      { numRuns: times('anyMessages'), seed: SEED },
    );
  });
});
