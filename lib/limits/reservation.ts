import {
  AMOUNT_MINOR_MAX,
  COUNT_MAX,
  DOCUMENTS_PER_CHECK_MAX,
  RULES_PER_CHECK_MAX,
  SUBJECTS_MAX,
} from '../shared/bounds.ts';
import { END } from '../counter/name.ts';
import { COUNTER_KEY, VALUE_FORMS } from '../rule/counter-key.ts';
import type { Values } from '../rule/counter-key.ts';
import { isKind, isText } from '../shared/names.ts';
import type { Subjects, OrderName, Whereabouts } from '../shared/request.ts';
import { digestOf } from '../shared/digest.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import { jsonText, pairsText } from '../shared/json-text.ts';
import { documentOf, holdId, homeKind, kindsIn, visitOrder } from '../shared/subject.ts';
import type { ReservedHold } from '../document/counter-store.ts';

/** Told by `check`, so that `confirm` and `rollback` need not look for the holds. Opaque: its form may change. */
export type Reservation = {
  /** Digest of the hold's id, so that it is not used for another order. */
  readonly order: string;
  /** The attempt that made the hold: 1 to 64 letters, digits, hyphens or underscores. */
  readonly nonce: string;
  /** The kinds of the documents that hold a share, home first. */
  readonly kinds: readonly [string, ...string[]];
  readonly subjects: Subjects;
  readonly held?: ReservedHold | undefined;
};

const VERSION = 4;

/** Writes a reservation as URL-safe text: JSON of which only subjects may have what is escaped. */
export function reservationToken({ order, nonce, kinds, subjects, held }: Reservation): string {
  const named = `${listText(kinds.map(jsonText))},${pairsText(Object.keys(subjects), subjects)}`;
  let text = `[${VERSION},"${order}","${nonce}",${named}`;
  if (held !== undefined) {
    const { digest, amount, count, until, leftOut, values } = held;
    const buckets = held.buckets.map((one) => (one === null ? 'null' : `"${one}"`));
    text += `,"${digest}",${amount},${count},${until.getTime()},${listText(buckets)}`;
    if (leftOut !== undefined) text += `,${listText(leftOut.map(keysText))}`;
    else if (values !== undefined) text += ',null';
    if (values !== undefined) text += `,${pairsText(Object.keys(values), values)}`;
  }
  return Buffer.from(`${text}]`, 'utf8').toString('base64url');
}

function listText(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

/** Of counters, whose keys are letters, digits and signs. */
function keysText(keys: readonly string[]): string {
  return keys.length === 0 ? '[]' : `["${keys.join('","')}"]`;
}

const DIGEST = /^[A-Za-z0-9_-]{16}$/;

const NONCE = /^[A-Za-z0-9_-]{1,64}$/;

/** What the names of buckets look like, each of which becomes part of a path in a document. */
const A_BUCKET = `${COUNTER_KEY} ${END}`;
const BUCKETS = new RegExp(`^(?:${A_BUCKET}(?:,${A_BUCKET}){0,${RULES_PER_CHECK_MAX - 1}})?$`);

const A_COUNTER = new RegExp(`^${COUNTER_KEY}$`);

/**
 * Undefined where the text is none. Anybody can write one: kinds and ids are held to what a check may name, the
 * text to the one that would be written of them, and what is held to the document's word.
 */
export function readReservation(token: string): Reservation | undefined {
  const [, order, nonce, kinds, entries, ...held] = contentOf(token);
  if (!isLike(DIGEST, order) || !isLike(NONCE, nonce)) return undefined;
  if (!Array.isArray(entries) || entries.length > SUBJECTS_MAX) return undefined;
  if (!entries.every(isSubject) || !Array.isArray(kinds)) return undefined;
  if (kinds.length > DOCUMENTS_PER_CHECK_MAX) return undefined;
  const subjects = Object.fromEntries(entries);
  const isNamed = (kind: unknown): kind is string =>
    typeof kind === 'string' && areDifferent(kindsIn(kind), subjects);
  if (!kinds.every(isNamed) || new Set(kinds).size !== kinds.length) return undefined;
  const [home, ...others] = kinds;
  // Home has one subject.
  if (home === undefined || !Object.hasOwn(subjects, home)) return undefined;
  const place = { order, nonce, kinds: [home, ...others] as const, subjects };
  const reservation = { held: heldIn(held, kinds.length), ...place };
  return reservationToken(reservation) === token ? reservation : undefined;
}

/** A kind that stands twice would make ids of documents longer than the text that names them. */
function areDifferent(kinds: readonly string[], subjects: Subjects): boolean {
  return (
    new Set(kinds).size === kinds.length && kinds.every((kind) => Object.hasOwn(subjects, kind))
  );
}

function contentOf(token: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return Array.isArray(content) ? content : [];
  } catch {
    return [];
  }
}

function heldIn(content: readonly unknown[], documents: number): ReservedHold | undefined {
  const [digest, amount, count, untilMs, buckets, leftOut, entries] = content;
  if (!isLike(DIGEST, digest) || !isWhole(amount, 0, AMOUNT_MINOR_MAX)) return undefined;
  if (!isWhole(count, 1, COUNT_MAX) || !isWhole(untilMs, 0, Infinity)) return undefined;
  if (!Array.isArray(buckets) || buckets.length !== documents || !buckets.every(areBuckets))
    return undefined;
  const values = entries === undefined ? undefined : valuesFrom(entries);
  if (entries !== undefined && values === undefined) return undefined;
  const place = { digest, amount, count, until: new Date(untilMs), buckets };
  const held = values === undefined ? place : { ...place, values };
  if (leftOut === undefined || (leftOut === null && values !== undefined)) return held;
  const isForAll = Array.isArray(leftOut) && leftOut.length === documents;
  return isForAll && leftOut.every(areCounters) ? { ...held, leftOut } : undefined;
}

function valuesFrom(entries: unknown): Values | undefined {
  if (!Array.isArray(entries) || entries.length > RULES_PER_CHECK_MAX) return undefined;
  const isPair = (entry: unknown): entry is readonly [string, string] =>
    Array.isArray(entry) &&
    isLike(VALUE_FORMS.name, entry[0]) &&
    isLike(VALUE_FORMS.value, entry[1]);
  return entries.every(isPair) ? Object.fromEntries(entries) : undefined;
}

function areBuckets(value: unknown): value is string | null {
  if (value === null) return true;
  if (typeof value !== 'string' || !BUCKETS.test(value)) return false;
  const names = value.split(',');
  return new Set(names).size === names.length;
}

function areCounters(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length > RULES_PER_CHECK_MAX) return false;
  return value.every((key) => isLike(A_COUNTER, key));
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isLike(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isSubject(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && isKind(value[0]) && isText(value[1]);
}

/** Where an order's holds are, found out. */
export type Place = Pick<Reservation, 'subjects' | 'held'> & {
  /** Home first. Which others there are is home's to say. */
  readonly documents: readonly [string, ...string[]];
  readonly nonce?: string;
  readonly digestOfId?: string;
};

/** @throws InvalidRequestError where the reservation is not this order's, or no audit has looked the order up */
export function placeOf(
  { whereabouts, ...order }: OrderName & { readonly whereabouts: Whereabouts },
  homeKinds: readonly string[],
): Place {
  if (whereabouts.kind === 'subjects') {
    const { subjects } = whereabouts;
    const kinds = visitOrder(subjects, Object.keys(subjects), homeKind(subjects, homeKinds));
    return { documents: documentsOf(kinds, subjects), subjects };
  }
  if (whereabouts.kind === 'recorded')
    throw new InvalidRequestError([
      {
        path: 'reservation',
        expected: 'exactly one of reservation and subjects; with an audit, the orderId is enough',
      },
    ]);
  const reservation = readReservation(whereabouts.token);
  if (reservation?.order !== digestOf(holdId(order)))
    throw new InvalidRequestError([
      {
        path: 'reservation',
        value: JSON.stringify(whereabouts.token.slice(0, 40)),
        expected: 'the reservation from the check of this order, unchanged',
      },
    ]);
  const { order: digestOfId, kinds, subjects, nonce, held } = reservation;
  return { documents: documentsOf(kinds, subjects), subjects, nonce, digestOfId, held };
}

function documentsOf([home, ...others]: Reservation['kinds'], subjects: Subjects) {
  const ids = others.map((kind) => documentOf(kind, subjects));
  return [documentOf(home, subjects), ...ids] as const;
}
