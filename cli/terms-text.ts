import type {
  FindOverrideAnswer,
  Freeze,
  TermsAnswer,
  TermsChangeAnswer,
  TermsChangesAnswer,
} from '../packages/client/src/index.ts';
import type { Digits } from './money.ts';
import { effectTable, sumText } from './effect-text.ts';
import { subjectsText, tableText, visible } from './output.ts';
import { waitingText } from './waiting-text.ts';

type Stretch = Pick<Freeze, 'inForce' | 'from' | 'until'>;
type SubjectTerms = FindOverrideAnswer & Partial<Pick<TermsAnswer, 'freeze' | 'unseen'>>;

/** Writes a subject's terms: whether it is frozen, and a line for each override; those to come, too. */
export function subjectTermsText(
  { subject, freeze, overrides, now, unseen }: SubjectTerms,
  digits: Digits,
): string {
  const rows = overrides.map(({ id, rule, max, currency, reason, ...override }) => [
    rule,
    max.amount === undefined ? 'as below' : sumText('amount', max.amount, currency, digits),
    max.count === undefined ? 'as below' : sumText('count', max.count, currency, digits),
    forceText(override, now),
    override.from,
    override.until ?? '-',
    authorsText(override),
    JSON.stringify(reason),
    id,
  ]);
  const table = tableText(
    [
      { name: 'rule' },
      { name: 'amount', isNumber: true },
      { name: 'payments', isNumber: true },
      ...['now', 'from', 'until', 'by', 'reason', 'id'].map((name) => ({ name })),
    ],
    rows,
  );
  const named = subjectsText(subject);
  return [
    ...(freeze === undefined || freeze === null ? [] : [freezeText(named, freeze, now)]),
    ...(freeze === null && rows.length === 0 ? [`${named} has no terms of its own.`] : []),
    ...(rows.length === 0 ? [] : [table]),
    ...unseenText({ subject, unseen }),
    `at ${now}`,
  ].join('\n\n');
}

/** Writes what a change left, and what it does now and later; or that it waits for a second person. */
export function changedText(answer: TermsChangeAnswer, digits: Digits, url?: string): string {
  const effect = answer.effect === undefined ? [] : [effectTable(answer.effect, digits)];
  if ('proposal' in answer) return [waitingText(answer.proposal, url), ...effect].join('\n\n');
  if (answer.dryRun !== true) return [subjectTermsText(answer, digits), ...effect].join('\n\n');
  const needs = answer.needsSecondPerson === true ? ' It needs a second person.' : '';
  return [`Nothing changed: a dry run.${needs}`, ...unseenText(answer), ...effect].join('\n\n');
}

/** Somebody who freezes a mistyped id must notice. */
function unseenText({
  subject,
  unseen,
}: Pick<TermsAnswer, 'subject'> & { readonly unseen?: true | undefined }): readonly string[] {
  if (unseen !== true) return [];
  return [`Headroom knows no order of ${subjectsText(subject)}. Is the id right?`];
}

/** Writes that a freeze was ended, and what the subject has still, or that it waits. */
export function unfrozenText(answer: TermsChangeAnswer, digits: Digits, url?: string): string {
  if ('proposal' in answer) return waitingText(answer.proposal, url);
  const { subject, overrides, now } = answer;
  const rest = { subject, overrides, now };
  return `${subjectsText(subject)} is no longer frozen.\n\n${subjectTermsText(rest, digits)}`;
}

function freezeText(
  named: string,
  { reason, by, approvedBy, ...stretch }: Freeze,
  now: string,
): string {
  const { inForce, from, until } = stretch;
  const author = { by, ...(approvedBy === undefined ? {} : { approvedBy }) };
  const state = inForce ? 'is FROZEN' : `was frozen (${forceText(stretch, now)})`;
  const end = until === null ? '' : ` until ${until}`;
  const why = visible(JSON.stringify(reason));
  return `${named} ${state} from ${from}${end}: ${why}, by ${authorsText(author)}`;
}

/** Instants of an answer are all of one form, so that they compare as text. */
function forceText({ inForce, from, until }: Stretch, now: string): string {
  if (inForce) return 'in force';
  if (from > now) return 'to come';
  return until !== null && until <= now ? 'over' : 'covered';
}

/** Writes a page of changes, the newest first. */
export function changesText({ subject, changes, next }: TermsChangesAnswer): string {
  if (changes.length === 0) return `${subjectsText(subject)} was never changed.`;
  const table = tableText(
    ['at', 'change', 'rule', 'by', 'reason'].map((name) => ({ name })),
    changes.map(({ at, change, rule = '-', reason, ...author }) => {
      return [at, change, rule, authorsText(author), JSON.stringify(reason)];
    }),
  );
  return next === null ? table : `${table}\n\nOlder ones: --changes --before ${next}`;
}

/** Names who made a change, and who approved it where it needed a second person. */
function authorsText({ by, approvedBy }: Pick<Freeze, 'by' | 'approvedBy'>): string {
  const named = authorText(by);
  return approvedBy === undefined ? named : `${named}, approved by ${authorText(approvedBy)}`;
}

/** Names who did something. */
export function authorText({ kind, id, person }: Freeze['by']): string {
  const named = kind === id ? kind : `${kind} ${id}`;
  return visible(person === undefined ? named : `${named} for ${person}`);
}
