import { randomUUID } from 'node:crypto';
import type { Service } from '../../functions/service.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { Hold } from '../../lib/document/document.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { readHolds } from '../../lib/document/stored.ts';
import { reservationToken } from '../../lib/limits/reservation.ts';
import { batchesOf } from '../../lib/shared/batches.ts';
import { ORDERS_PER_CALL_MAX } from '../../lib/shared/bounds.ts';
import { digestOf } from '../../lib/shared/digest.ts';
import { durationMs } from '../../lib/shared/duration.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import { numbered } from '../../lib/shared/numbered.ts';
import type { SettlementRequest } from '../../lib/shared/request.ts';
import {
  documentOf as counterDocument,
  readDocument,
  readDocumentId,
} from '../../lib/shared/subject.ts';
import { commandActor, refuseUnkept } from '../command-actor.ts';
import { UsageError } from '../command-error.ts';
import { DONE, FOUND } from '../exit-codes.ts';
import { printJson, visible } from '../output.ts';

/** The options of the command line. */
export type ReleaseOptions = {
  readonly app: string;
  /** `kind:id`, as it is. */
  readonly subject: string;
  readonly lasting?: string;
  readonly giveBack?: boolean;
  readonly reason?: string;
  readonly by?: string;
  readonly json?: boolean;
};

/** How many orders were given back, and how many were not, by the codes that say why. */
type Released = { givenBack: number; readonly left: Map<string, number> };

/**
 * Prints the open holds of an application in one document, and gives them back if that is asked. It rolls back each
 * order by the reservation of its hold: an order that was settled or checked again meanwhile stays what it is.
 *
 * @returns how the command ends
 */
export async function releaseHolds(
  { db, limits, settings }: Pick<Service, 'db' | 'limits' | 'settings'>,
  options: ReleaseOptions,
): Promise<number> {
  const { app, json, giveBack = false } = options;
  const document = documentOf(options.subject);
  const reason = reasonOf(options);
  const lastsMs = options.lasting === undefined ? 0 : readLasting(options.lasting);
  const counters = db.collection<CounterDocument & StoredDocument>(COUNTERS);
  const projection = { h: 1, p: 1 } as const;
  const stored = await counters.findOne({ _id: document }, { projection });
  const nowMs = Date.now();
  // One that is over may be there until the next write.
  const open = readHolds(stored ?? {}).filter(({ until }) => until.getTime() > nowMs);
  const holds = open.filter(
    ({ id, until }) => readDocumentId(id).kind === app && until.getTime() > nowMs + lastsMs,
  );
  const found = { document, app, open: open.length, found: holds.length };
  const name = `${visible(document)} has ${numbered(open.length, 'open hold')}, ${holds.length} of application ${app}`;
  const lasting = options.lasting === undefined ? '' : ` that last ${options.lasting} longer`;
  if (!giveBack) {
    const orders = holds.map(({ id, home = document, amount, until }) => {
      const { id: orderId } = readDocumentId(id);
      return { orderId, home, amount, holdExpiresAt: until };
    });
    if (json === true) printJson({ ...found, orders });
    else console.log(`${name}${lasting}. Nothing was changed: --give-back gives them back.`);
    return holds.length === 0 ? DONE : FOUND;
  }
  const { givenBack, left } = await rollBack(limits, document, holds, reason);
  if (json === true) printJson({ ...found, givenBack, left: Object.fromEntries(left) });
  else {
    console.log(`${name}${lasting}. ${numbered(givenBack, 'order')} given back.`);
    for (const [code, count] of left) console.log(`${count} not: ${code}. ${whyLeft(code)}`);
    if (settings.audit === 'off') console.log('AUDIT is off: no row says who did it.');
  }
  return [...left.keys()].every(isNoHold) ? DONE : FOUND;
}

/** A payment that was confirmed meanwhile is no open hold any more, here neither. */
function isNoHold(code: string): boolean {
  return code === 'ALREADY_CONFIRMED';
}

async function rollBack(
  limits: Service['limits'],
  document: string,
  holds: readonly Hold[],
  reason: string,
): Promise<Released> {
  const released: Released = { givenBack: 0, left: new Map() };
  for (const round of roundsOf(holds))
    for await (const some of batchesOf(ORDERS_PER_CALL_MAX, round)) {
      const requests = some.map((hold) => rollbackOf(document, hold, reason));
      for (const result of await limits.settleMany(requests, undefined, randomUUID())) {
        if (result.kind === 'answered') {
          released.givenBack += 1;
          continue;
        }
        const { error } = result;
        if (!(error instanceof HeadroomError)) throw error;
        released.left.set(error.code, (released.left.get(error.code) ?? 0) + 1);
      }
    }
  return released;
}

/** A call names each id once. Beside home, orders of several users may have one id, and so may attempts at one order. */
function roundsOf(holds: readonly Hold[]): readonly (readonly Hold[])[] {
  const rounds: Hold[][] = [];
  const times = new Map<string, number>();
  for (const hold of holds) {
    const before = times.get(hold.id) ?? 0;
    times.set(hold.id, before + 1);
    (rounds[before] ??= []).push(hold);
  }
  return rounds;
}

/** Names the hold by its nonce, so that no newer hold of the order is given back. Home names its other documents. */
function rollbackOf(
  document: string,
  { id, nonce, home = document }: Hold,
  reason: string,
): SettlementRequest {
  const { kind: appId, id: orderId } = readDocumentId(id);
  const subject = readDocumentId(home);
  const token = reservationToken({
    order: digestOf(id),
    nonce,
    kinds: [subject.kind],
    subjects: { [subject.kind]: subject.id },
  });
  return {
    to: 'rolledBack',
    appId,
    orderId,
    whereabouts: { kind: 'reservation', token },
    reason,
  };
}

/** Tells an operator why orders were not given back, by the code of their answer. */
function whyLeft(code: string): string {
  if (code === 'NOT_FOUND' || code === 'FORGOTTEN')
    return 'Their home does not know these orders. Their shares expire.';
  if (isNoHold(code)) return 'These payments count.';
  return 'Run the command again.';
}

/** @throws UsageError */
function documentOf(subject: string): string {
  const { kind, subjects } = readDocument(subject);
  if (Object.entries(subjects).every((named) => !named.includes('')))
    return counterDocument(kind, subjects);
  throw new UsageError(
    `--subject is ${JSON.stringify(subject)}, expected a kind and an id, such as merchant:m-1.`,
  );
}

/** Why and by whom, as each row has it. @throws UsageError */
function reasonOf({ giveBack, reason, by }: ReleaseOptions): string {
  const { id, person } = commandActor(by);
  if (giveBack !== true) return '';
  if (reason === undefined)
    throw new UsageError('Expected --reason, which Headroom stores with each rollback.');
  const text = `released by ${person ?? id}: ${reason}`;
  refuseUnkept('--reason', text);
  return text;
}

/** @throws UsageError */
function readLasting(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  throw new UsageError(
    `--lasting is ${JSON.stringify(text)}, expected an ISO 8601 duration, such as PT1H.`,
  );
}
