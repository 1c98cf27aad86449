import type { SettlementAnswer } from '../limits/answer.ts';
import { ORDERS_PER_CALL_MAX } from '../shared/bounds.ts';
import { HeadroomError, HeldBackError } from '../shared/errors.ts';
import type { ManyResult } from '../limits/many.ts';
import type { SettlementRequest } from '../shared/request.ts';
import { isSameJson } from '../rules/rule-set.ts';
import { holdId } from '../shared/subject.ts';

/** A message of a queue, as far as it matters. */
export type Message = {
  readonly body: unknown;
  /** The message group of a FIFO queue, within which the order of messages counts. */
  readonly group?: string;
};

/** What became of a message: it is done with, or must be delivered again. */
export type MessageEnd =
  | { readonly kind: 'done'; readonly result: ManyResult<SettlementAnswer> }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Settles 1 to ORDERS_PER_CALL_MAX orders, each named once. */
type SettleMany = (
  settlements: readonly SettlementRequest[],
) => Promise<readonly ManyResult<SettlementAnswer>[]>;

/** A message that could be read. */
type Readable = {
  readonly index: number;
  readonly group: string | undefined;
  readonly request: SettlementRequest;
  readonly order: string;
};

/**
 * Settles what a batch of messages says, and answers for each message, in the order given.
 *
 * Orders are settled together, up to ORDERS_PER_CALL_MAX of them in a call, so that messages that touch
 * one document are one update. Equal messages about one order are one; different ones come in later
 * calls, in the order of arrival.
 *
 * @param read reads a message's body, or throws InvalidRequestError
 */
export async function settleBatch(
  messages: readonly Message[],
  read: (body: unknown) => SettlementRequest,
  settleMany: SettleMany,
): Promise<readonly MessageEnd[]> {
  const batch = new Batch(messages, read);
  for (let round = batch.next(); round.length > 0; round = batch.next()) {
    const requests = round.map(([{ request }]) => request);
    const results = await resultsOf(settleMany, requests);
    for (const [index, same] of round.entries())
      for (const message of same) batch.end(message, endOf(message.request, results[index]));
  }
  return batch.ends();
}

async function resultsOf(
  settleMany: SettleMany,
  requests: readonly SettlementRequest[],
): Promise<readonly ManyResult<SettlementAnswer>[]> {
  try {
    return await settleMany(requests);
  } catch (error) {
    return requests.map(() => ({ kind: 'failed', error }));
  }
}

/** Of a rollback: nothing is held under this name any more, which is what it asks for. */
const NOTHING_TO_GIVE_BACK: readonly string[] = ['NOT_FOUND', 'RESERVATION_REPLACED'];

function endOf(
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

/** A batch while it is worked on. */
class Batch {
  readonly #ends: MessageEnd[] = [];
  readonly #count: number;
  readonly #heldBackOrders = new Set<string>();
  readonly #failedGroups = new Set<string>();
  /** The first message of a group that cannot be read. */
  readonly #poisoned = new Map<string, number>();
  #open: Readable[] = [];

  constructor(messages: readonly Message[], read: (body: unknown) => SettlementRequest) {
    this.#count = messages.length;
    for (const [index, { body, group }] of messages.entries()) {
      try {
        const request = read(body);
        this.#open.push({ index, group, request, order: holdId(request) });
      } catch (error) {
        // Of a FIFO queue nothing passes it: what came before it is settled, what comes after waits.
        this.#ends[index] = { kind: 'failed', error };
        if (group !== undefined) this.#poison(group, index);
      }
    }
  }

  /** Takes the next messages out, equal ones about one order together; none where all is done. */
  next(): readonly (readonly [Readable, ...Readable[]])[] {
    const round = new Map<string, [Readable, ...Readable[]]>();
    const later: Readable[] = [];
    for (const message of this.#open) {
      const same = round.get(message.order);
      if (this.#isHeldBack(message)) this.end(message, HELD_BACK);
      else if (same === undefined && round.size < ORDERS_PER_CALL_MAX)
        round.set(message.order, [message]);
      else if (same !== undefined && isSameJson(same[0].request, message.request))
        same.push(message);
      else later.push(message);
    }
    this.#open = later;
    return [...round.values()];
  }

  end({ index, group, order }: Readable, end: MessageEnd): void {
    this.#ends[index] = end;
    if (end.kind === 'done') return;
    // Nobody knows yet what becomes of the order: then nothing about it may pass this message.
    const isOpen = !(end.error instanceof HeadroomError) || end.error.retryable;
    if (isOpen) this.#heldBackOrders.add(order);
    if (group !== undefined) this.#failedGroups.add(group);
  }

  ends(): readonly MessageEnd[] {
    return Array.from({ length: this.#count }, (_, index) => this.#ends[index] ?? HELD_BACK);
  }

  #poison(group: string, index: number): void {
    if (!this.#poisoned.has(group)) this.#poisoned.set(group, index);
  }

  #isHeldBack({ index, group, order }: Readable): boolean {
    if (this.#heldBackOrders.has(order)) return true;
    if (group === undefined) return false;
    return this.#failedGroups.has(group) || index > (this.#poisoned.get(group) ?? Infinity);
  }
}

const HELD_BACK: MessageEnd = { kind: 'failed', error: new HeldBackError() };
