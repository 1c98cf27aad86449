/** The server cannot be had, or not now; the message says why in one sentence, for a person. */
export class DocumentDBError extends Error {
  override readonly name = 'DocumentDBError';
}

/** The message of whatever was thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
