import type { CallOptions } from '../calls.ts';
import { asking, ending, type Register } from '../command.ts';
import { DONE, FOUND } from '../exit-codes.ts';
import { transactionText } from '../history-text.ts';

type Options = CallOptions & { readonly language?: string };

/** `headroom transaction`. */
export const transaction: Register = (program) => {
  const command = program
    .command('transaction')
    .summary('the state of an order, and its history')
    .description('Prints the state of an order and its history, from the audit.')
    .argument('<order>', "the order's id")
    .option('--app <id>', 'the owner of the order; with --url, if another signs')
    .option('--language <language>', 'of sentences: en (default) or zh');
  const prints = 'the answer of GET /v1/transactions/{orderId}';
  asking(command, prints, '\nEnds with 1 if the order is unknown.').action(
    ending(async (orderId: string, options: Options) => {
      const { calling } = await import('../calls.ts');
      const { printAnswer } = await import('../print-answer.ts');
      const { app, language, url } = options;
      const answer = await calling('Not read', options, (client) =>
        client.status(orderId, { language, app: url === undefined ? undefined : app }),
      );
      await printAnswer(answer, options, transactionText);
      return answer.state === 'unknown' ? FOUND : DONE;
    }),
  );
};
