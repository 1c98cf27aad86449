import type { Command } from './command.ts';
import type { RunSql } from './sql.ts';

/** The means of a handler: the connection that the command belongs to. */
export type Context = {
  readonly run: RunSql;
  /** Names the write for the engine, which does it at most once and keeps the answer; or null. */
  readonly retryId: string | null;
};

/** The answer of a command that was carried out, as BSON. */
export type Answer = {
  readonly document: Uint8Array;
  /** Some statement of a write failed: a transaction ends with it. */
  readonly failed: boolean;
  /** For a findAndModify: whether it changed anything. */
  readonly changed?: boolean;
};

/** Carries one kind of command out. */
export type Handler = (command: Command, context: Context) => Promise<Answer>;

/** An answer without failed statements. */
export function answer(document: Uint8Array): Answer {
  return { document, failed: false };
}
