import { describe, expect, it } from 'vitest';
import type { NearTold } from '../../lib/near/near.ts';
import { eventBusPublisher, nearEvents } from '../../lib/edge/event-bus.ts';
import { useEventBridge } from '../support/event-bridge.ts';

const bridge = useEventBridge();

function told(merchant: string, percents: NearTold['percents']): NearTold {
  const row: NearTold['row'] = {
    id: `merchant-day key 1 merchant:${merchant}`,
    ...{ rule: 'merchant-day', ruleId: 'merchant-day', mode: 'enforce' },
    ...{ subjects: { merchant }, kind: 'merchant' },
    ...{ document: `merchant:${merchant}`, counter: 'key', currency: 'CNY' },
    start: new Date('2026-03-01T16:00:00Z'),
    until: new Date('2026-03-02T16:00:00Z'),
    ...{ max: { amountMinor: 5_000 }, isOverride: false, taken: { amountMinor: 4_100 } },
    at: new Date('2026-03-02T10:00:00Z'),
  };
  return { row, percents };
}

describe('an event bus', () => {
  it('gets an event for each part of a maximum, in the words of GET /v1/near', async () => {
    await eventBusPublisher('limits')(nearEvents([told('m-1', [50, 80])]));
    expect(bridge.requests).toHaveLength(1);
    const [{ target, entries } = { target: '', entries: [] }] = bridge.requests;
    expect(target).toBe('AWSEvents.PutEvents');
    expect(entries).toMatchObject([
      { Source: 'headroom', DetailType: 'Limit near', EventBusName: 'limits', Time: 1_772_445_600 },
      { Source: 'headroom', DetailType: 'Limit near', EventBusName: 'limits', Time: 1_772_445_600 },
    ]);
    const details = entries.map(({ Detail }) => JSON.parse(Detail) as unknown);
    expect(details[1]).toEqual({
      ...{ rule: 'merchant-day', mode: 'enforce', subjects: { merchant: 'm-1' }, currency: 'CNY' },
      ...{ share: 0.8, max: { amount: 5_000 }, overridden: false, taken: { amount: 4_100 } },
      start: '2026-03-01T16:00:00.000Z',
      until: '2026-03-02T16:00:00.000Z',
      at: '2026-03-02T10:00:00.000Z',
    });
    expect(details[0]).toMatchObject({ share: 0.5 });
  });

  it('gets ten events at a time, as it takes them', async () => {
    const all = Array.from({ length: 6 }, (_, each) => told(`m-${each}`, [50, 80, 95, 100]));
    await eventBusPublisher('limits')(nearEvents(all));
    expect(bridge.requests.map(({ entries }) => entries.length)).toEqual([10, 10, 4]);
  });

  it('that refuses an event is told as such, by its code', async () => {
    bridge.refuses = true;
    await expect(
      eventBusPublisher('limits')(nearEvents([told('m-1', [50])])),
    ).rejects.toMatchObject({
      name: 'EventRefusedError',
      code: 'ThrottlingException',
    });
  });

  it('that does not answer is given up, twice', async () => {
    bridge.isSilent = true;
    const startedMs = performance.now();
    await expect(eventBusPublisher('limits')(nearEvents([told('m-1', [50])]))).rejects.toThrow();
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  }, 20_000);
});
