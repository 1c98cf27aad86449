import type { Command } from './command.ts';
import type { RunSql } from './sql.ts';

/** The means of a handler: the connection that the command belongs to. */
export type Context = {
  readonly run: RunSql;
};

/** The answer of a command that was carried out, as BSON. */
export type Answer = {
  readonly document: Uint8Array;
  /** Some statement of a write failed: a transaction ends with it. */
  readonly failed: boolean;
};

/** Carries one kind of command out. */
export type Handler = (command: Command, context: Context) => Promise<Answer>;

/** An answer without failed statements. */
export function answer(document: Uint8Array): Answer {
  return { document, failed: false };
}
