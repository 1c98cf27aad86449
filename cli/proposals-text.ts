import type { Proposal, ProposalAnswer, ProposalsAnswer } from '../packages/client/src/index.ts';
import type { Digits } from './money.ts';
import { askedText } from './effect-text.ts';
import { subjectsText, tableText, visible } from './output.ts';
import { differenceLines } from './proposal-difference.ts';
import { authorText } from './terms-text.ts';

/**
 * Writes a page of proposals, newest first; below it what each that is open would change now.
 *
 * @param open each of them as `show` has it
 */
export function proposalsText(
  { proposals, next }: ProposalsAnswer,
  open: readonly ProposalAnswer[],
  digits: Digits,
): string {
  if (proposals.length === 0) return 'There is no such proposal.';
  const columns = ['at', 'id', 'state', 'change', 'asked', 'by', 'reason'].map((name) => ({
    name,
  }));
  const rows = proposals.map((each) => [
    each.at,
    each.id,
    each.state,
    changeText(each),
    visible(askedText(each, digits)),
    authorText(each.by),
    each.reason === undefined ? '-' : JSON.stringify(each.reason),
  ]);
  return [
    tableText(columns, rows),
    ...open.map((each) => [each.id, ...meaningLines(each, digits)].join('\n')),
    ...(next === null ? [] : [`Older ones: --before ${next}`]),
  ].join('\n\n');
}

/** Writes one proposal: while it is open what it would change now, and then what was asked for. */
export function proposalText(answer: ProposalAnswer, digits: Digits): string {
  // An order stands as it was checked, whatever was decided.
  if (answer.state !== 'open' && answer.order === undefined)
    return [
      decidedText(answer),
      ...lookAlikeLines(answer).map(visible),
      '',
      `asked: ${json(answer.asked)}`,
    ].join('\n');
  return `${decidedText(answer)}\n\n${meaningLines(answer, digits).join('\n')}`;
}

/** Says the changes that an open proposal would make, or why it would be refused. */
function meaningLines(answer: ProposalAnswer, digits: Digits): readonly string[] {
  const refused =
    answer.refused === null ? [] : [`It would be refused now: ${answer.refused.detail}`];
  return [...refused, ...differenceLines(answer, digits), ...lookAlikeLines(answer)].map(
    (line) => `  ${visible(line)}`,
  );
}

/** Tells by which letters two names look the same: they may be one person. */
function lookAlikeLines({ lookAlikes }: ProposalAnswer): readonly string[] {
  return lookAlikes.map(
    ({ person, letter, looksLike }) =>
      `Two names look the same. In ${person}, ${letter} (${codePointText(letter)}) looks like ${looksLike}.`,
  );
}

function codePointText(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Writes how a proposal stands, and who decided it. */
export function decidedText(proposal: Proposal): string {
  const { id, state, at, by, reason, until, decided } = proposal;
  const why = reason === undefined ? '' : `: ${JSON.stringify(reason)}`;
  const verb = proposal.order === undefined ? 'proposed' : 'checked';
  const made = `${changeText(proposal)}, ${verb} at ${at} by ${authorText(by)}${visible(why)}`;
  const end =
    decided === null
      ? `open until ${until}`
      : `at ${decided.at} by ${authorText(decided.by)}: ${visible(JSON.stringify(decided.reason))}${passesText(decided)}`;
  return `${id} is ${state}\n${made}\n${end}`;
}

function passesText({ passesUntil }: NonNullable<Proposal['decided']>): string {
  return passesUntil === undefined ? '' : `; the order may pass until ${passesUntil}`;
}

function changeText({ operation, subject, rule, order }: Proposal): string {
  const what = order === undefined ? operation : `order ${order.orderId} of ${order.app}`;
  const named = [what, subjectsText(subject ?? {}), rule ?? ''].filter(Boolean);
  return visible(named.join(' '));
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).split('\n').map(visible).join('\n');
}
