import { countText, numberText, Progress } from '../output.ts';
import type { ImportOptions } from './import-options.ts';
import { writeProgress, type ImportProgress } from './progress-file.ts';
import type { RejectedFile } from './rejected-file.ts';
import type { GoodRow, Row } from './row.ts';
import { Chunk, sendChunk, type Client } from './send.ts';
import { isGood, problemOf } from './survey.ts';
import { addAnswer, addRejected } from './tally.ts';

/** Rows between two notes of how far it has come, wrong ones counted. */
const ROWS_MAX = 1_000;

/** A call takes less, unless a commit of somebody else's is in its way, in milliseconds. */
const SLOW_MS = 3_000;
const SLOW_TEXT = `No answer for ${SLOW_MS / 1_000} s: another commit may be in the way. One of a killed import locks its subjects for up to 90 s. Still asking.`;

/** Rows on their way, and how far they have come. */
export class Sending {
  readonly #options: ImportOptions;
  readonly #client: Client;
  readonly #rejected: RejectedFile;
  readonly #shown = new Progress();
  readonly #startedMs = performance.now();
  readonly #startedAt: number;
  /** Since the last call, in the order of the file. */
  #rows: Row[] = [];
  #chunk = new Chunk();
  progress: ImportProgress;

  constructor(
    options: ImportOptions,
    client: Client,
    rejected: RejectedFile,
    begun: ImportProgress,
  ) {
    this.#options = options;
    this.#client = client;
    this.#rejected = rejected;
    this.#startedAt = begun.done;
    this.progress = begun;
  }

  async take(row: Row): Promise<void> {
    const isSent = isGood(row, this.#options.now());
    if (isSent && !this.#chunk.add(row)) {
      await this.flush();
      this.#chunk.add(row);
    }
    this.#rows.push(row);
    if (this.#rows.length >= ROWS_MAX) await this.flush();
  }

  /** Sends what is there, and notes that it is through. */
  async flush(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    const sent = await this.#send();
    const { progress } = this;
    const tally = structuredClone(progress.tally);
    const lines: string[] = [];
    for (const row of rows) {
      const one = sent.get(row as GoodRow); // undefined where it is none
      if (one?.kind === 'answered') addAnswer(tally, one.answer);
      else {
        addRejected(tally, one?.code ?? 'INVALID_ROW');
        lines.push(row.rejectedAs(one?.problem ?? problemOf(row, this.#options.now()) ?? ''));
      }
    }
    await this.#rejected.add(lines);
    const next = {
      ...progress,
      done: progress.done + rows.length,
      rejectedBytes: this.#rejected.bytes,
      tally,
    };
    await writeProgress(this.#options.progressPath, next);
    this.progress = next;
    this.#rows = [];
    this.#chunk = new Chunk();
    this.#say();
  }

  async #send(): Promise<Awaited<ReturnType<typeof sendChunk>>> {
    const slow = setTimeout(() => {
      this.#shown.clear();
      console.error(SLOW_TEXT);
    }, SLOW_MS);
    try {
      return await sendChunk(this.#client, this.#chunk.rows);
    } finally {
      clearTimeout(slow);
    }
  }

  #say(): void {
    const { done, rows } = this.progress;
    const perSecond = ((done - this.#startedAt) * 1_000) / (performance.now() - this.#startedMs);
    this.#shown.say(
      `${numberText(done)} of ${countText(rows, 'row')}, ${numberText(Math.round(perSecond))} a second`,
    );
  }

  clear(): void {
    this.#shown.clear();
  }
}
