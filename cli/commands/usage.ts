import type { UsageAnswer } from '../../packages/client/src/index.ts';
import type { CallOptions } from '../calls.ts';
import { asking, ATTRIBUTE_OPTION, ending, type Register } from '../command.ts';
import { unknownKindsText, visible } from '../output.ts';
import { readAttributes, readSubjects } from '../words.ts';

type Options = CallOptions & {
  readonly type?: string;
  readonly attribute?: readonly string[];
  readonly stale?: string;
};

/** `headroom usage`. */
export const usage: Register = (program) => {
  const command = program
    .command('usage')
    .summary('the limits of a user, a merchant or a card, and their sums')
    .description(
      'Prints every rule that counts for these subjects: used, held, left. Changes nothing.',
    )
    .argument('<subjects...>', 'kind and id: user:u-1 merchant:m-1')
    .option(...ATTRIBUTE_OPTION)
    .option('--type <type>', 'the type, if maxima depend on it: PAYMENT')
    .option('--stale <duration>', 'the age that the answer may have: PT10S');
  asking(command, 'the answer of GET /v1/usage').action(
    ending(async (words: readonly string[], options: Options) => {
      const { calling } = await import('../calls.ts');
      const { conditionsOf, rulesTable, termsText, unseenText, withoutInstantText } =
        await import('../rule-table.ts');
      const { printAnswer } = await import('../print-answer.ts');
      const { stale, type, attribute } = options;
      const asked = { stale, type, attributes: attribute && readAttributes(attribute) };
      const subjects = readSubjects(words);
      const answer: UsageAnswer = await calling('Not read', options, (client) =>
        client.usage(subjects, asked),
      );
      await printAnswer(answer, options, ({ rules, unknownKinds, frozen, now, asOf }, digits) => {
        const none = `No rule counts for ${visible(words.join(' '))}.`;
        const table = rules.length === 0 ? none : rulesTable(rules, undefined, digits);
        const notes = [
          unknownKindsText(unknownKinds),
          unseenText(answer),
          conditionsOf(rules),
          withoutInstantText(answer),
          termsText(rules, frozen, digits),
        ];
        const age = asOf === undefined || asOf === now ? '' : `, with everything before ${asOf}`;
        return `${table}\n\n${notes.join('')}at ${now}${age}`;
      });
      return 0;
    }),
  );
};
