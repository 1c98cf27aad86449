import type { Command } from 'commander';
import type { Proposal, ProposalAnswer, ProposalsAnswer } from '../../packages/client/src/index.ts';
import type { OnceOptions } from '../call-once.ts';
import { ending, type Register } from '../command.ts';
import { CALL_HELP } from './usage.ts';

const URL_OPTION = ['--url <address>', 'ask a deployment: everything before /v1'] as const;
const OPEN = 'Perhaps it was decided: headroom proposals show prints it';

/** `headroom proposals`. */
export const proposals: Register = (program) => {
  const group = program
    .command('proposals')
    .summary('changes that wait for a second person')
    .description('Prints and decides changes that need a second person (FOUR_EYES).');
  list(group);
  show(group);
  decision(group, 'approve', 'approve it, so that it takes effect');
  decision(group, 'reject', 'reject it');
  decision(group, 'withdraw', 'take it back, as its author');
};

type ListOptions = OnceOptions & {
  readonly state?: string;
  readonly limit?: string;
  readonly before?: string;
};

function list(group: Command): void {
  group
    .command('list')
    .summary('open proposals, newest first')
    .description('Prints proposals, newest first.')
    .option('--state <state>', 'open, approved, rejected, withdrawn, expired or all', 'open')
    .option('--limit <number>', 'the most rows (20)')
    .option('--before <id>', 'the page after the one that ended with this')
    .option(...URL_OPTION)
    .option('--json', 'print the answer of GET /v1/proposals')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async ({ state, limit, before, ...options }: ListOptions) => {
        const { printJson } = await import('../output.ts');
        const { readNumber } = await import('../numbers.ts');
        const { callOnce } = await import('../call-once.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { proposalsText } = await import('../proposals-text.ts');
        const request = {
          operation: 'list',
          ...(state === undefined || state === 'all' ? {} : { state }),
          ...(limit === undefined ? {} : { limit: readNumber('--limit', limit) }),
          ...(before === undefined ? {} : { before }),
        };
        const call = { function: 'proposals', request } as const;
        const answer = await callOnce<ProposalsAnswer>('Not read', options, call);
        if (options.json === true) printJson(answer);
        else {
          const open = await openOf(answer, options);
          console.log(proposalsText(answer, open, await digitsFor([answer, ...open], options)));
        }
        return 0;
      }),
    );
}

/** Each open proposal of a page as `show` has it: one after the other, at most a page. */
async function openOf(
  { proposals: listed }: ProposalsAnswer,
  options: OnceOptions,
): Promise<readonly ProposalAnswer[]> {
  const { callOnce } = await import('../call-once.ts');
  const found: ProposalAnswer[] = [];
  for (const { id, state } of listed) {
    if (state !== 'open') continue;
    const call = { function: 'proposals', request: { operation: 'find', id } } as const;
    found.push(await callOnce<ProposalAnswer>('Not read', options, call));
  }
  return found;
}

function show(group: Command): void {
  group
    .command('show')
    .summary('one proposal, and the change that it would make now')
    .description('Prints the request, and the change that it would make now.')
    .argument('<id>')
    .option(...URL_OPTION)
    .option('--json', 'print the answer of GET /v1/proposals/{id}')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (id: string, options: OnceOptions) => {
        const { printJson } = await import('../output.ts');
        const { callOnce } = await import('../call-once.ts');
        const { digitsFor } = await import('../private-digits.ts');
        const { proposalText } = await import('../proposals-text.ts');
        const call = { function: 'proposals', request: { operation: 'find', id } } as const;
        const answer = await callOnce<ProposalAnswer>('Not read', options, call);
        if (options.json === true) printJson(answer);
        else console.log(proposalText(answer, await digitsFor(answer, options)));
        return 0;
      }),
    );
}

function decision(
  group: Command,
  operation: 'approve' | 'reject' | 'withdraw',
  summary: string,
): void {
  group
    .command(operation)
    .summary(summary)
    .description(`A proposal: ${summary}.`)
    .argument('<id>')
    .requiredOption('--reason <text>', 'why: stored with the proposal')
    .option('--by <name>', 'who: stored with the proposal')
    .option(...URL_OPTION)
    .option('--json', 'print the answer of the call')
    .addHelpText('after', CALL_HELP)
    .action(
      ending(async (id: string, options: OnceOptions & { readonly reason: string }) => {
        const { printJson } = await import('../output.ts');
        const { callOnce } = await import('../call-once.ts');
        const { decidedText } = await import('../proposals-text.ts');
        const request = { operation, id, reason: options.reason };
        const call = { function: 'proposals', request, open: OPEN } as const;
        const answer = await callOnce<Proposal>('Nothing was decided', options, call);
        if (options.json === true) printJson(answer);
        else console.log(decidedText(answer));
        return 0;
      }),
    );
}
