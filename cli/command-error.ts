/** Why a command was not done, in a sentence that says it all. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** The command cannot be understood; how it is called is shown below the message. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** The line below a mistake in how a command was called. */
export const HOW_CALLED = 'Run it with --help to see all options.';
