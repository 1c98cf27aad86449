import { isDeepStrictEqual } from 'node:util';
import { HeadroomError, errorOf } from '../shared/errors.ts';
import type { SettlementAnswer } from '../limits/answer.ts';
import { ORDERS_PER_CALL_MAX } from '../shared/bounds.ts';
import type { ManyResult } from '../limits/many.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { holdId } from '../shared/subject.ts';

/** An earlier message about the same order, or of the same group, must be settled before this one. */
export class HeldBackError extends errorOf(
  'HELD_BACK',
  () => 'an earlier message of this order or group failed; nothing was changed',
  true,
) {}

/** A message of a queue. */
export type Message = {
  readonly body: unknown;
  /** Of a FIFO queue. Messages of a group are taken in order. */
  readonly group?: string;
};

/** A message is done with, or must be delivered again. */
export type MessageEnd =
  | { readonly kind: 'done'; readonly result: ManyResult<SettlementAnswer> }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Settles 1 to ORDERS_PER_CALL_MAX orders, each named once. */
type SettleMany = (
  settlements: readonly SettlementRequest[],
) => Promise<readonly ManyResult<SettlementAnswer>[]>;

type Readable = {
  readonly index: number;
  readonly group: string | undefined;
  readonly request: SettlementRequest;
  readonly order: string;
  /** An earlier message of its group cannot be read. */
  readonly isBlocked: boolean;
};

/**
 * Settles messages, up to ORDERS_PER_CALL_MAX orders a call. Equal messages about one order are one; different
 * ones come in later calls, in the order of arrival.
 *
 * @param read reads a message's body, or throws InvalidRequestError
 */
export async function settleBatch(
  messages: readonly Message[],
  read: (body: unknown) => SettlementRequest,
  settleMany: SettleMany,
): Promise<readonly MessageEnd[]> {
  const ends = messages.map(() => HELD_BACK);
  const [orders, groups] = [new Set<string>(), new Set<string | undefined>()];
  let open = readable(messages, read, ends);
  while (open.length > 0) {
    const round = new Map<string, [Readable, ...Readable[]]>();
    const later: Readable[] = [];
    for (const message of open) {
      const { order, group, request, isBlocked } = message;
      const same = round.get(order);
      if (isBlocked) orders.add(order);
      else if (orders.has(order) || (group !== undefined && groups.has(group))) {
        orders.add(order);
        groups.add(group);
      } else if (same === undefined && round.size < ORDERS_PER_CALL_MAX)
        round.set(order, [message]);
      else if (same !== undefined && isDeepStrictEqual(same[0].request, request))
        same.push(message);
      else later.push(message);
    }
    const results = await resultsOf(settleMany, [...round.values()]);
    for (const { message, end } of results) {
      ends[message.index] = end;
      if (end.kind === 'done') continue;
      groups.add(message.group);
      // Nobody knows yet what becomes of the order: then nothing about it may pass this message.
      if (!(end.error instanceof HeadroomError) || end.error.retryable) orders.add(message.order);
    }
    open = later;
  }
  return ends;
}

const HELD_BACK: MessageEnd = { kind: 'failed', error: new HeldBackError() };

/** Reads the messages. One that cannot be read blocks the later ones of its group. */
function readable(
  messages: readonly Message[],
  read: (body: unknown) => SettlementRequest,
  ends: MessageEnd[],
): readonly Readable[] {
  const poisoned = new Set<string>();
  return messages.flatMap(({ body, group }, index) => {
    const isBlocked = group !== undefined && poisoned.has(group);
    try {
      const request = read(body);
      return [{ index, group, request, order: holdId(request), isBlocked }];
    } catch (error) {
      ends[index] = { kind: 'failed', error };
      if (group !== undefined) poisoned.add(group);
      return [];
    }
  });
}

async function resultsOf(
  settleMany: SettleMany,
  round: readonly (readonly [Readable, ...Readable[]])[],
): Promise<readonly { readonly message: Readable; readonly end: MessageEnd }[]> {
  if (round.length === 0) return [];
  const requests = round.map(([{ request }]) => request);
  let results: readonly ManyResult<SettlementAnswer>[];
  try {
    results = await settleMany(requests);
  } catch (error) {
    results = requests.map(() => ({ kind: 'failed', error }));
  }
  return round.flatMap((same, index) =>
    same.map((message) => ({ message, end: messageEnd(message.request, results[index]) })),
  );
}

/** Then nothing is held under this name any more, as a rollback asks. */
const NOTHING_TO_GIVE_BACK: readonly string[] = ['NOT_FOUND', 'RESERVATION_REPLACED'];

function messageEnd(
  { to }: SettlementRequest,
  result: ManyResult<SettlementAnswer> | undefined,
): MessageEnd {
  if (result === undefined) throw new TypeError('each order has a result');
  if (result.kind === 'answered') return { kind: 'done', result };
  const { error } = result;
  const isGone =
    to === 'rolledBack' &&
    error instanceof HeadroomError &&
    NOTHING_TO_GIVE_BACK.includes(error.code);
  return isGone ? { kind: 'done', result } : { kind: 'failed', error };
}
