import { ID_LENGTH_MAX, SUBJECTS_MAX } from './bounds.ts';
import type { Subjects } from './request.ts';

/**
 * Where an order's holds are, told by `check` and given back to `confirm` and `rollback`, so that
 * they need not look for them. Opaque to callers: its form may change.
 */
export type Reservation = {
  /** Digest of the hold's id, so that it is not used for another order. */
  readonly order: string;
  /** The call that made the hold. */
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

/** Reads a reservation; undefined where the text is none. */
export function readReservation(token: string): Reservation | undefined {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isList(content)) return undefined;
  const [version, order, nonce, kinds, entries] = content;
  if (version !== VERSION || typeof order !== 'string' || typeof nonce !== 'string')
    return undefined;
  if (!isTexts(kinds) || !isPairs(entries) || entries.length > SUBJECTS_MAX) return undefined;
  if (new Set(kinds).size !== kinds.length || entries.flat().some(isTooLong)) return undefined;
  const subjects = Object.fromEntries(entries);
  const [home, ...others] = kinds;
  if (home === undefined || !kinds.every((kind) => Object.hasOwn(subjects, kind))) return undefined;
  return { order, nonce, kinds: [home, ...others], subjects };
}

function isTooLong(text: string): boolean {
  return text.length > ID_LENGTH_MAX;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isPairs(value: unknown): value is readonly (readonly [string, string])[] {
  return Array.isArray(value) && value.every((item) => isTexts(item) && item.length === 2);
}
