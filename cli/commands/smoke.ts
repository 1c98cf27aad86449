import { randomUUID } from 'node:crypto';
import { ATTRIBUTE_OPTION, ending, type Register } from '../command.ts';
import { DONE, NOT_DONE } from '../exit-codes.ts';
import { printJson, visible } from '../output.ts';
import type { Step } from '../smoke.ts';
import { readAttributes, readNumber, readSubjects } from '../words.ts';

type Options = {
  readonly url: string;
  readonly amount: string;
  readonly currency?: string;
  readonly type?: string;
  readonly attribute?: readonly string[];
  readonly json?: boolean;
};

/** `headroom smoke`. */
export const smoke: Register = (program) => {
  program
    .command('smoke')
    .summary('test a deployment: check, confirm, roll back')
    .description(
      'Makes five calls: a dry check, a check and its confirm, a check and its rollback. Without --currency it first reads the rules. Prints the time of each. If one fails, it prints what to look at. The confirm counts the amount for the subject.',
    )
    .argument('[subjects...]', 'kind and id (a new user each time): user:u-1')
    .requiredOption('--url <address>', 'the deployment: everything before /v1')
    .option('--amount <minor>', 'in minor units', '1')
    .option('--currency <code>', 'a currency (default: that of a rule, which it reads first)')
    .option('--type <type>', 'such as PAYMENT')
    .option(...ATTRIBUTE_OPTION)
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      `
HEADROOM_APP_ID and HEADROOM_SECRET sign, or HEADROOM_IAM_REGION for IAM.
Ends with 0 if all calls are right, 2 if one fails.`,
    )
    .action(
      ending(async (words: readonly string[], options: Options) => {
        const { calling } = await import('../calls.ts');
        const { smoke: probing } = await import('../smoke.ts');
        const { type, attribute, currency, json = false } = options;
        const subjects = words.length > 0 ? words : [`user:smoke-${randomUUID().slice(0, 8)}`];
        const probe = {
          subjects: readSubjects(subjects),
          amount: readNumber('--amount', options.amount),
          ...(currency === undefined ? {} : { currency }),
          ...(type === undefined ? {} : { type }),
          ...(attribute === undefined ? {} : { attributes: readAttributes(attribute) }),
        };
        const onStep = json ? () => undefined : printStep;
        const steps = await calling('Not asked', options, (client) =>
          probing(client, probe, onStep),
        );
        if (json) printJson({ subjects: probe.subjects, steps });
        const failed = steps.find(({ isRight }) => !isRight);
        const whose = visible(subjects.join(' '));
        if (failed !== undefined)
          console.error(`The ${failed.name} failed for ${whose}. Look at ${failed.lookAt ?? ''}.`);
        else if (!json) console.log(`All ${steps.length} calls are right, for ${whose}.`);
        return failed === undefined ? DONE : NOT_DONE;
      }),
    );
};

function printStep({ name, milliseconds, says }: Step): void {
  console.log(`${name.padEnd(10)} ${`${milliseconds} ms`.padStart(9)}  ${says}`);
}
