import type {
  FindOverrideAnswer,
  Freeze,
  TermsAnswer,
  TermsChangeAnswer,
  TermsChangesAnswer,
} from '../../packages/client/src/index.ts';
import { tableText, visible } from './output.ts';
import { waitingText } from './waiting-text.ts';

type SubjectTerms = FindOverrideAnswer & Partial<Pick<TermsAnswer, 'freeze'>>;

/** Writes a subject's terms: whether it is frozen, and a line for each override; those to come, too. */
export function subjectTermsText({ subject, freeze, overrides, now }: SubjectTerms): string {
  const rows = overrides.map(({ rule, max, inForce, from, until, reason, ...author }) => [
    ...[rule, maximumText(max.amount), maximumText(max.count), forceText(inForce, from, now)],
    ...[from, until ?? '-', authorsText(author), JSON.stringify(reason)],
  ]);
  const table = tableText(
    [
      { name: 'rule' },
      { name: 'minor units', isNumber: true },
      { name: 'payments', isNumber: true },
      ...['now', 'from', 'until', 'by', 'reason'].map((name) => ({ name })),
    ],
    rows,
  );
  const named = subjectText(subject);
  return [
    ...(freeze === undefined || freeze === null ? [] : [freezeText(named, freeze, now)]),
    ...(freeze === null && rows.length === 0 ? [`${named} has no terms of its own.`] : []),
    ...(rows.length === 0 ? [] : [table]),
    `at ${now}`,
  ].join('\n\n');
}

/** Writes what a change left, or that it waits for a second person. */
export function changedText(answer: TermsChangeAnswer, url?: string): string {
  return 'proposal' in answer ? waitingText(answer.proposal, url) : subjectTermsText(answer);
}

/** Writes that a freeze was ended, and what the subject has still, or that it waits. */
export function unfrozenText(answer: TermsChangeAnswer, url?: string): string {
  if ('proposal' in answer) return waitingText(answer.proposal, url);
  const { subject, overrides, now } = answer;
  const rest = { subject, overrides, now };
  return `${subjectText(subject)} is no longer frozen.\n\n${subjectTermsText(rest)}`;
}

function freezeText(
  named: string,
  { inForce, from, until, reason, ...author }: Freeze,
  now: string,
): string {
  const state = inForce ? 'is FROZEN' : `was frozen (${forceText(inForce, from, now)})`;
  const end = until === null ? '' : ` until ${until}`;
  const why = visible(JSON.stringify(reason));
  return `${named} ${state} from ${from}${end}: ${why}, by ${authorsText(author)}`;
}

/** Instants of an answer are all of one form, so that they compare as text. */
function forceText(inForce: boolean, from: string, now: string): string {
  if (inForce) return 'in force';
  return from > now ? 'to come' : 'over';
}

/** A part that an override leaves out stays the rule's. */
function maximumText(maximum: number | null | undefined): string {
  if (maximum === undefined) return "the rule's";
  return maximum === null ? 'none' : maximum.toLocaleString('en');
}

/** Writes a page of changes, the newest first. */
export function changesText({ subject, changes, next }: TermsChangesAnswer): string {
  if (changes.length === 0) return `${subjectText(subject)} was never changed.`;
  const table = tableText(
    ['at', 'change', 'rule', 'by', 'reason'].map((name) => ({ name })),
    changes.map(({ at, change, rule = '-', reason, ...author }) => {
      return [at, change, rule, authorsText(author), JSON.stringify(reason)];
    }),
  );
  return next === null ? table : `${table}\n\nOlder ones: --changes --before ${next}`;
}

type Author = Freeze['by'];

/** Names who made a change, and who approved it where it needed a second person. */
export function authorsText({
  by,
  approvedBy,
}: {
  readonly by: Author;
  readonly approvedBy?: Author;
}): string {
  const named = authorText(by);
  return approvedBy === undefined ? named : `${named}, approved by ${authorText(approvedBy)}`;
}

/** Names who did something. */
export function authorText({ kind, id, person }: Freeze['by']): string {
  const named = kind === id ? kind : `${kind} ${id}`;
  return visible(person === undefined ? named : `${named} for ${person}`);
}

function subjectText(subject: Readonly<Record<string, string>>): string {
  return Object.entries(subject)
    .map((each) => visible(each.join(':')))
    .join(' ');
}
