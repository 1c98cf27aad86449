import { RESPONSE_BYTES_MAX } from '../shared/bounds.ts';

/** What stands around an answer: status, headers, and the members beside its parts. */
const ENVELOPE_BYTES = 1_024;

/**
 * Says whether the parts of an answer are within what a function may return, written into a text that is
 * itself a member of the envelope's JSON. Lambda would put an error of its own in the place of a longer
 * answer. All parts in one text may be more than a function has memory for.
 */
export function fitsInResponse(parts: readonly object[]): boolean {
  let bytes = ENVELOPE_BYTES;
  for (const part of parts) {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(part)));
    if (bytes > RESPONSE_BYTES_MAX) return false;
  }
  return true;
}
