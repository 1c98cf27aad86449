import { collected, ending, type Register } from '../command.ts';
import type { CallOptions } from '../calls.ts';

type UsageOptions = CallOptions & {
  readonly type?: string;
  readonly attribute?: readonly string[];
  readonly stale?: string;
};

/** `headroom usage`. */
export const usage: Register = (program) => {
  program
    .command('usage')
    .summary('the limits of a user, a merchant or a card, and their sums')
    .description(
      'Prints every rule that counts for these subjects: used, held, left. Changes nothing.',
    )
    .argument('<subjects...>', 'kind and id: user:u-1 merchant:m-1')
    .option(
      '--attribute <name=value>',
      'an attribute; repeat the option for more: tier=gold',
      collected,
    )
    .option('--type <type>', 'the type, if maxima depend on it: PAYMENT')
    .option('--stale <duration>', 'the age that the answer may have: PT10S')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of GET /v1/usage')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (words: readonly string[], options: UsageOptions) => {
        const { printJson, visible } = await import('../output.ts');
        const { readSubjects } = await import('../subjects.ts');
        const { conditionsOf, rulesTable, termsText, unseenText } =
          await import('../rule-table.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { calling } = await import('../calls.ts');
        const { unknownKindsText } = await import('../unknown-kinds.ts');
        const { readAttributes } = await import('../dry-run.ts');
        const subjects = readSubjects(words);
        const { stale, type, attribute } = options;
        const attributes = attribute && readAttributes(attribute);
        const answer = await calling('Not read', options, (client) =>
          client.usage(subjects, { stale, type, attributes }),
        );
        if (options.json === true) printJson(answer);
        else {
          const { rules, unknownKinds, frozen, now, asOf = now } = answer;
          const digits = await digitsFor(answer, options);
          const none = `No rule counts for ${visible(words.join(' '))}.`;
          console.log(rules.length === 0 ? none : rulesTable(rules, undefined, digits));
          const notes = [
            unknownKindsText(unknownKinds),
            unseenText(answer),
            conditionsOf(rules),
            termsText(rules, frozen, digits),
          ];
          console.log(
            `\n${notes.join('')}at ${asOf === now ? now : `${now}, with everything before ${asOf}`}`,
          );
        }
        return 0;
      }),
    );
};

/** The text below the help of commands that make a call. */
export const CALL_HELP = `
Without --url it runs the code of the functions on the database of MONGODB_URI.
With --url it signs: by HEADROOM_APP_ID and HEADROOM_SECRET, if set, or for IAM
by HEADROOM_IAM_REGION=eu-central-1, as the AWS command line does.`;
