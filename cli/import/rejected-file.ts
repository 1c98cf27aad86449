import { statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { CommandError } from '../command-error.ts';
import { UnwrittenError } from './unwritten-error.ts';

/** The file of rows that were not taken: like the imported one, with why, to be corrected and imported. */
export class RejectedFile {
  readonly path: string;
  readonly #header: string | undefined;
  #file: FileHandle | undefined;
  #bytes: number;

  /** @param bytes how much of it is to stay, of rows that are through */
  constructor(path: string, header: string | undefined, bytes: number) {
    this.path = path;
    this.#header = header;
    this.#bytes = bytes;
  }

  /** @throws CommandError where what is noted of the file is not there any more */
  assertThere(progressPath: string): void {
    const size = statSync(this.path, { throwIfNoEntry: false })?.size;
    if (this.#bytes === 0 || (size !== undefined && size >= this.#bytes)) return;
    const what = size === undefined ? 'is not there any more' : 'is shorter than it was';
    throw new CommandError(
      `Not imported: ${this.path} ${what}, which has the rejected rows so far. Restore it to continue, or remove ${progressPath} to send all rows again.`,
    );
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds rows, and waits until they are on the disk.
   *
   * @throws UnwrittenError where not all of them are
   */
  async add(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    try {
      await this.#write(lines);
    } catch (error) {
      throw new UnwrittenError(this.path, error);
    }
  }

  async #write(lines: readonly string[]): Promise<void> {
    const isNew = this.#bytes === 0;
    const file = (this.#file ??= await this.#open());
    const all = isNew && this.#header !== undefined ? [this.#header, ...lines] : lines;
    const text = Buffer.from(all.map((line) => `${line}\n`).join(''));
    // A disk that is nearly full takes a part of it, and says no to the rest alone.
    for (let done = 0; done < text.length;) {
      const { bytesWritten } = await file.write(text, done, text.length - done, this.#bytes + done);
      done += bytesWritten;
    }
    await file.datasync();
    this.#bytes += text.length;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** Rows that were written by an import that ended before it could note them are written again. */
  async #open(): Promise<FileHandle> {
    if (this.#bytes === 0) return open(this.path, 'w');
    const file = await open(this.path, 'r+');
    await file.truncate(this.#bytes);
    return file;
  }
}
