import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CommandError } from '../command-error.ts';
import { fileReason } from '../file-reason.ts';

/** A file that is read once from its beginning, and what it was. */
export class SourceFile {
  readonly path: string;
  readonly #hash: Hash = createHash('sha256');

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Its text in pieces, without the mark of UTF-8 that some programs put before it.
   *
   * @throws CommandError where it cannot be read, or is no UTF-8
   */
  async *text(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    try {
      for await (const piece of createReadStream(this.path)) {
        const bytes = piece as Buffer; // as without an encoding
        this.#hash.update(bytes);
        yield decoder.decode(bytes, { stream: true });
      }
      yield decoder.decode();
    } catch (error) {
      const { path } = this;
      if (error instanceof TypeError)
        throw new CommandError(`Not imported: ${path} is not UTF-8; save it as UTF-8.`);
      throw new CommandError(`Not imported: ${path} cannot be read: ${fileReason(error)}.`);
    }
  }

  /** Reads it for its digest alone. */
  async readToEnd(): Promise<void> {
    const pieces = this.text();
    while ((await pieces.next()).done !== true);
  }

  /** SHA-256 of all that was read, base64url. To be asked once, when it was read to its end. */
  digest(): string {
    return this.#hash.digest('base64url');
  }
}
