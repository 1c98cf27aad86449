import { SUBJECTS_MAX } from './bounds.ts';
import { isKind, isText } from './names.ts';
import type { Subjects } from './request.ts';

/**
 * Where an order's holds are, told by `check` and given back to `confirm` and `rollback`, so that
 * they need not look for them. Opaque to callers: its form may change.
 */
export type Reservation = {
  /** Digest of the hold's id, so that it is not used for another order. */
  readonly order: string;
  /** The call that made the hold: 1 to 64 letters, digits, hyphens or underscores. */
  readonly nonce: string;
  /** Subject kinds whose documents hold a share, home first. */
  readonly kinds: readonly [string, ...string[]];
  readonly subjects: Subjects;
};

const VERSION = 1;

/** Writes a reservation as URL-safe text. */
export function reservationToken({ order, nonce, kinds, subjects }: Reservation): string {
  const content = JSON.stringify([VERSION, order, nonce, kinds, Object.entries(subjects)]);
  return Buffer.from(content, 'utf8').toString('base64url');
}

/** What `digestOf` gives. */
const DIGEST = /^[A-Za-z0-9_-]{16}$/;

/** What a nonce looks like. */
const NONCE = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Reads a reservation; undefined where the text is none.
 *
 * Anybody can write such a text, so nothing in it is believed: kinds and ids are held to what a check
 * may name, and the text to the one that would be written of them.
 */
export function readReservation(token: string): Reservation | undefined {
  const reservation = reservationIn(contentOf(token));
  if (reservation === undefined || reservationToken(reservation) !== token) return undefined;
  return reservation;
}

function contentOf(token: string): readonly unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return isList(content) ? content : [];
  } catch {
    return [];
  }
}

function reservationIn(content: readonly unknown[]): Reservation | undefined {
  const [version, order, nonce, kinds, entries] = content;
  if (version !== VERSION || !isLike(DIGEST, order) || !isLike(NONCE, nonce)) return undefined;
  if (!isList(kinds) || !isList(entries) || entries.length > SUBJECTS_MAX) return undefined;
  if (!kinds.every(isKind) || !entries.every(isSubject)) return undefined;
  const subjects = Object.fromEntries(entries);
  const [home, ...others] = kinds;
  if (home === undefined || new Set(kinds).size !== kinds.length) return undefined;
  if (!kinds.every((kind) => Object.hasOwn(subjects, kind))) return undefined;
  return { order, nonce, kinds: [home, ...others], subjects };
}

function isLike(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isSubject(value: unknown): value is readonly [string, string] {
  return isList(value) && value.length === 2 && isKind(value[0]) && isText(value[1]);
}
