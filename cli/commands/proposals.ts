import type { Command } from 'commander';
import type { Proposal, ProposalAnswer, ProposalsAnswer } from '../../packages/client/src/index.ts';
import type { OnceOptions } from '../call-once.ts';
import { asking, ending, type Register } from '../command.ts';
import { readNumber } from '../words.ts';

const OPEN = 'Perhaps it was decided: headroom proposals show prints it';

/** `headroom proposals`. */
export const proposals: Register = (program) => {
  const group = program
    .command('proposals')
    .summary('changes and orders that wait for a second person')
    .description(
      'Prints and decides what needs a second person: changes (FOUR_EYES), and orders above a maximum with onExceed: review.',
    );
  list(group);
  show(group);
  decision(group, 'approve', 'approve it, so that it takes effect');
  decision(group, 'reject', 'reject it');
  decision(group, 'withdraw', 'take it back, as its author');
};

type ListOptions = OnceOptions & {
  readonly state: string;
  readonly about?: string;
  readonly limit?: string;
  readonly before?: string;
};

function list(group: Command): void {
  const command = group
    .command('list')
    .summary('open proposals, newest first')
    .description('Prints proposals, newest first.')
    .option('--about <what>', 'only those about rules, terms or order')
    .option('--state <state>', 'open, approved, rejected, withdrawn, expired or all', 'open')
    .option('--limit <number>', 'the most rows (20)')
    .option('--before <id>', 'the page after the one that ended with this');
  asking(command, 'the answer of GET /v1/proposals').action(
    ending(async ({ state, about, limit, before, ...options }: ListOptions) => {
      const { proposalsText } = await import('../proposals-text.ts');
      const { printJson } = await import('../output.ts');
      const { digitsFor } = await import('../print-answer.ts');
      const answer = await ask<ProposalsAnswer>(options, {
        operation: 'list',
        ...(state === 'all' ? {} : { state }),
        ...(about === undefined ? {} : { about }),
        ...(limit === undefined ? {} : { limit: readNumber('--limit', limit) }),
        ...(before === undefined ? {} : { before }),
      });
      if (options.json === true) {
        printJson(answer);
        return 0;
      }
      // Each open one as `show` has it: one after the other, at most a page.
      const open: ProposalAnswer[] = [];
      for (const each of answer.proposals)
        if (each.state === 'open') open.push(await find(options, each.id));
      console.log(proposalsText(answer, open, await digitsFor([answer, ...open], options)));
      return 0;
    }),
  );
}

async function ask<Answer>(options: OnceOptions, request: object): Promise<Answer> {
  const { callOnce } = await import('../call-once.ts');
  return callOnce<Answer>('Not read', options, { function: 'proposals', request });
}

function find(options: OnceOptions, id: string): Promise<ProposalAnswer> {
  return ask(options, { operation: 'find', id });
}

function show(group: Command): void {
  const command = group
    .command('show')
    .summary('one proposal, and the change that it would make now')
    .description('Prints the request, and the change that it would make now.')
    .argument('<id>')
    .option('--by <name>', 'who reads it: whether the name looks like that of the author');
  asking(command, 'the answer of GET /v1/proposals/{id}').action(
    ending(async (id: string, options: OnceOptions) => {
      const { printAnswer } = await import('../print-answer.ts');
      const { proposalText } = await import('../proposals-text.ts');
      await printAnswer(await find(options, id), options, proposalText);
      return 0;
    }),
  );
}

type DecisionOptions = OnceOptions & { readonly reason: string; readonly for?: string };

function decision(
  group: Command,
  operation: 'approve' | 'reject' | 'withdraw',
  summary: string,
): void {
  const command = group
    .command(operation)
    .summary(summary)
    .description(`A proposal: ${summary}.`)
    .argument('<id>')
    .requiredOption('--reason <text>', 'why: stored with the proposal')
    .option('--by <name>', 'who: stored with the proposal');
  if (operation === 'approve')
    command.option('--for <duration>', 'an order: how long it may pass, to P7D (PT24H)');
  asking(command, 'the answer of the call').action(
    ending(async (id: string, { for: span, ...options }: DecisionOptions) => {
      const { callOnce } = await import('../call-once.ts');
      const { printAnswer } = await import('../print-answer.ts');
      const { decidedText } = await import('../proposals-text.ts');
      const passing = span === undefined ? {} : { for: span };
      const request = { operation, id, reason: options.reason, ...passing };
      const call = { function: 'proposals', request, open: OPEN } as const;
      const answer = await callOnce<Proposal>('Nothing was decided', options, call);
      await printAnswer(answer, options, decidedText);
      return 0;
    }),
  );
}
