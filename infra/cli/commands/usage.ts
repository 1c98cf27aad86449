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
    .summary('how every limit of a user, a merchant, a card stands')
    .description(
      'Prints every rule that counts for these subjects: used, held, left. Changes nothing.',
    )
    .argument('<subjects...>', 'kind and id: user:u-1 merchant:m-1')
    .option(
      '--attribute <name=value>',
      'what maxima depend on, once for each: tier=gold',
      collected,
    )
    .option('--type <type>', 'where they depend on it: PAYMENT')
    .option('--stale <duration>', 'a secondary may answer, so far behind: PT10S')
    .option('--url <address>', 'ask a deployment: everything before /v1')
    .option('--json', 'print the answer of GET /v1/usage')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (words: readonly string[], options: UsageOptions) => {
        const { printJson, visible } = await import('../output.ts');
        const { readSubjects } = await import('../subjects.ts');
        const { rulesTable, termsText } = await import('../rule-table.ts');
        const { calling } = await import('../calls.ts');
        const { unknownKindsText } = await import('../unknown-kinds.ts');
        const { readAttributes } = await import('../dry-run.ts');
        const subjects = readSubjects(words);
        const { stale, type, attribute } = options;
        const attributes = attribute && readAttributes(attribute);
        const answer = await calling('Not told', options, (client) =>
          client.usage(subjects, { stale, type, attributes }),
        );
        if (options.json === true) printJson(answer);
        else {
          const { rules, unknownKinds, frozen, now, asOf = now } = answer;
          const none = `No rule counts for ${visible(words.join(' '))}.`;
          console.log(rules.length === 0 ? none : rulesTable(rules));
          console.log(
            `\n${unknownKindsText(unknownKinds)}${termsText(rules, frozen)}at ${asOf === now ? now : `${now}, with everything before ${asOf}`}`,
          );
        }
        return 0;
      }),
    );
};

/** What stands below the help of commands that make a call. */
export const CALL_HELP = `
Without --url it asks the database of MONGODB_URI, by the code and the settings
of the functions. With --url HEADROOM_APP_ID and HEADROOM_SECRET sign, if set;
HEADROOM_IAM_REGION=eu-central-1 signs for IAM, as the AWS command line does.`;
