import completions from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import { InvalidConfigurationError } from '../../lib/domain/errors.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { COMMANDS } from './commands.ts';
import { NOT_DONE } from './exit-codes.ts';
import { VERSION } from './version.ts';

/**
 * Runs the command line, and sets how the process ends: `exit-codes.ts`.
 *
 * @param words what stands behind `headroom`
 */
export async function runHeadroom(words: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...words], { from: 'user' });
  } catch (error) {
    process.exitCode = codeOf(error);
  }
}

const HINT = 'Called with --help, it says how it is called.';
const COMPLETION = 'print the completion of zsh, bash, fish, powershell';

/** The command line with every command. */
export function createProgram(): Command {
  const program = new Command('headroom')
    .version(VERSION, '-V, --version')
    .enablePositionalOptions()
    .helpCommand(false)
    .exitOverride()
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .showHelpAfterError(HINT)
    .configureOutput({
      // Through the console, as everything else that is printed.
      writeOut: (text) => {
        console.log(withoutEnd(text));
      },
      writeErr: (text) => {
        console.error(withoutEnd(text));
      },
      outputError: (text, write) => {
        write(asSentence(text));
      },
    })
    .addHelpText(
      'after',
      `headroom COMMAND --help says more of each, docs/command-line.md everything.`,
    );
  for (const register of COMMANDS) register(program);
  completions(program, { completionCommandName: 'completion' });
  program.commands.find((each) => each.name() === 'completion')?.summary(COMPLETION);
  // Its own options are the two that everybody knows: a screen has 24 lines, and commands need them.
  return program.configureHelp({
    visibleOptions: () => [],
    subcommandTerm: (command) => command.name(),
  });
}

function withoutEnd(text: string): string {
  return text.replace(/\n$/, '');
}

/** The library's messages, as ours are: `error: unknown option '--nope'` is `Unknown option '--nope'.` */
function asSentence(text: string): string {
  const [, first = '', rest = ''] = /^error: (.)(.*)$/s.exec(withoutEnd(text)) ?? [];
  if (first === '') return text;
  const [sentence = '', ...hints] = `${first.toUpperCase()}${rest}`.split('\n');
  const ended = /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
  return `${[ended, ...hints].join('\n')}\n`;
}

/** Says what was wrong, unless that was said, and gives how the process ends. */
function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : NOT_DONE;
  if (error instanceof UsageError) console.error(`${error.message}\n${HINT}`);
  else if (error instanceof CommandError || error instanceof InvalidConfigurationError)
    console.error(error.message);
  else console.error(error);
  return NOT_DONE;
}
