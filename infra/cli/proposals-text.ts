import type { Proposal, ProposalAnswer, ProposalsAnswer } from '../../packages/client/src/index.ts';
import { tableText, visible } from './output.ts';
import { authorText } from './terms-text.ts';

/** Writes a page of proposals, newest first. */
export function proposalsText({ proposals, next }: ProposalsAnswer): string {
  if (proposals.length === 0) return 'There is no such proposal.';
  const columns = ['at', 'id', 'state', 'change', 'by', 'reason'].map((name) => ({ name }));
  const rows = proposals.map((each) => [
    ...[each.at, each.id, each.state, changeText(each), authorText(each.by)],
    each.reason === undefined ? '-' : JSON.stringify(each.reason),
  ]);
  const table = tableText(columns, rows);
  return next === null ? table : `${table}\n\nOlder ones: --before ${next}`;
}

/** Writes one proposal: what was asked for, and while it is open what it would change now. */
export function proposalText(answer: ProposalAnswer): string {
  const { asked, changes, refused, terms } = answer;
  const parts = [
    ...[decidedText(answer), `asked: ${json(asked)}`],
    ...(refused === null ? [] : [`It would be refused now: ${visible(refused.detail)}`]),
    ...(changes ?? []).map((change) => `would change: ${json(change)}`),
    ...(terms === null ? [] : [`the subject has now: ${json(terms)}`]),
  ];
  return parts.join('\n\n');
}

/** Writes how a proposal stands, and who decided it. */
export function decidedText(proposal: Proposal): string {
  const { id, state, at, by, reason, until, decided } = proposal;
  const why = reason === undefined ? '' : `: ${JSON.stringify(reason)}`;
  const made = `${changeText(proposal)}, proposed at ${at} by ${authorText(by)}${visible(why)}`;
  const end =
    decided === null
      ? `open until ${until}`
      : `at ${decided.at} by ${authorText(decided.by)}: ${visible(JSON.stringify(decided.reason))}`;
  return `${id} is ${state}\n${made}\n${end}`;
}

function changeText({ operation, subject, rule }: Proposal): string {
  const named = Object.entries(subject ?? {}).map((each) => each.join(':'));
  return visible([operation, ...named, ...(rule === null ? [] : [rule])].join(' '));
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).split('\n').map(visible).join('\n');
}
