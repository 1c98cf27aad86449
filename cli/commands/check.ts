import type { CallOptions } from '../calls.ts';
import { asking, ATTRIBUTE_OPTION, ending, PROOF_OPTION, type Register } from '../command.ts';
import type { DryRunOptions } from '../dry-run.ts';
import { DONE, FOUND } from '../exit-codes.ts';
import { printJson } from '../output.ts';

type Options = CallOptions & DryRunOptions;

/** `headroom check --dry-run`. */
export const check: Register = (program) => {
  const command = program
    .command('check')
    .summary('the answer that a check would get (--dry-run)')
    .description(
      'Prints the answer that a check of subjects (user:u-1 merchant:m-1) would get\nnow, with its rules. Holds nothing.',
    )
    .argument('[subjects...]')
    .requiredOption('--dry-run', 'required: this command never holds')
    .option('--amount <minor>', 'in minor units: 120000 fen are 1,200.00 yuan')
    .option('--currency <code>', 'such as CNY')
    .option('--type <type>', 'such as PAYMENT')
    .option('--count <number>', 'the number that it adds to counts (1)')
    .option(...ATTRIBUTE_OPTION)
    .option(...PROOF_OPTION)
    .option('--partial-min <minor>', 'take what fits, if it is so much')
    .option('--request <file>', 'the whole request as JSON instead; - is stdin');
  const ends = '\nEnds with 0 if the check would be allowed, 1 if refused.';
  asking(command, 'the answer of POST /v1/check', ends).action(
    ending(async (words: readonly string[], options: Options) => {
      const { calling } = await import('../calls.ts');
      const { checkText, dryRunOf } = await import('../dry-run.ts');
      const { digitsFor } = await import('../print-answer.ts');
      const request = dryRunOf(words, options);
      // People see every rule, whatever the file says about `report`.
      const asked = options.json === true ? request : ({ ...request, report: 'all' } as const);
      const answer = await calling('Not asked', options, (client) => client.check(asked));
      if (options.json === true) printJson(answer);
      else console.log(checkText(answer, request.currency, await digitsFor(request, options)));
      return answer.decision === 'allowed' ? DONE : FOUND;
    }),
  );
};
