import { open, type FileHandle } from 'node:fs/promises';

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

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds rows, and waits until they are on the disk. */
  async add(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const isNew = this.#bytes === 0;
    const file = (this.#file ??= await this.#open());
    const all = isNew && this.#header !== undefined ? [this.#header, ...lines] : lines;
    const text = Buffer.from(all.map((line) => `${line}\n`).join(''));
    await file.write(text, 0, text.length, this.#bytes);
    await file.datasync();
    this.#bytes += text.length;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  /** Rows that were written by an import that ended before it could note them are written anew. */
  async #open(): Promise<FileHandle> {
    const file = await open(this.path, this.#bytes === 0 ? 'w' : 'r+');
    await file.truncate(this.#bytes);
    return file;
  }
}
