import { AMOUNT_MINOR_MAX } from '../lib/shared/bounds.ts';
import { subjects } from '../lib/schema/fields.ts';
import { called, said } from '../lib/schema/said.ts';
import { maxBy, quantity, ruleId, until } from './standings.ts';
import * as say from './words.ts';

/** The answers of the calls about subjects' terms. */

/** Who did something. */
export const actor = say.named(
  'Actor',
  'The caller that did something.',
  {
    kind: say.oneOf(
      ['application', 'principal', 'invocation', 'command', 'local'],
      '`application`: an application signed the call. `principal`: API Gateway authenticated it. `invocation`: IAM allowed it to invoke the function. `command`: a command line. `local`: nobody was authenticated.',
    ),
    id: say.text(
      'The id of an application, the ARN or subject of a principal, or the user of a machine.',
    ),
  },
  { person: say.text('The person that `X-Actor` named.') },
);

const author = {
  at: say.instant('The time of the change.'),
  by: called(actor, 'The caller that made the change.'),
  reason: say.text('The reason given.'),
};
/** The second person. */
export const approvedBy = called(actor, 'The second person, if the change needed one.');

const stretch = {
  inForce: say.flag(
    'True if it applies at the time of the answer, and no override above it says the same sums. In a list of changes: at the time of the change.',
  ),
  from: say.instant('The start.'),
  until,
};
const bound = (description: string) => say.nullable(say.whole(description, 0, AMOUNT_MINOR_MAX));

const freeze = say.orNull(
  say.named(
    'Freeze',
    'A freeze: Headroom refuses every new check of the subject.',
    { ...stretch, ...author },
    { approvedBy },
  ),
  'Null if there is none.',
);
const overrides = say.list(
  say.named(
    'Override',
    "A subject's own maximum of one rule.",
    {
      id: say.text('Its id, to end this one alone.'),
      rule: ruleId,
      max: say.object(
        'The maximum. An absent sum stays as it is below. Null means no maximum.',
        {},
        { amount: bound('Minor units.'), count: bound('Transactions.') },
      ),
      ...stretch,
      ...author,
    },
    {
      currency: say.text('The currency of the rule as it is now, if it has one.'),
      approvedBy,
    },
  ),
  'Present and future overrides, and past ones until Headroom deletes them. Those of one rule lie on each other: the last one is on top.',
);
const subject = subjects('The subject: one kind, and its id.');
const now = say.instant("The instant of the answer, by the database's clock.");

const state = say.named(
  'TermsState',
  'The maximum of the rule, or whether the subject is frozen.',
  {},
  {
    max: called(quantity, 'The maximum in force. A sum that is not limited is absent.'),
    maxBy: called(maxBy, 'Maxima that depend on the order, instead of those in `max`.'),
    frozen: say.flag('True if every new check is refused. Only of a change of a freeze.'),
  },
);
/** The effect of a change of terms over time. */
export const termsEffect = say.named(
  'TermsEffect',
  'The effect of a change, now and later.',
  {
    steps: say.list(
      say.named('TermsStep', 'A time in which nothing changes.', {
        from: say.instant('The start. The first step starts now.'),
        until: say.nullable(say.instant('The end; null for the last step.')),
        before: called(state, 'Without the change.'),
        after: called(state, 'With the change.'),
      }),
      'In the order of time.',
    ),
  },
  { currency: say.text('The currency of the rule, if it has one.') },
);

/** The terms of a subject. */
export const terms = say.named('Terms', "A subject's terms.", { freeze, overrides });

/** The answer of `terms`, and of a change that was made. */
export const termsAnswer = say.named(
  'TermsAnswer',
  "A subject's terms now. After a change: with the change.",
  {
    subject,
    freeze,
    overrides,
    now,
    version: say.text(
      'The version, for `If-Match`. Every change makes a new one. `none` if the subject has no terms.',
    ),
  },
  {
    unseen: said(
      say.only(true),
      'Headroom knows no order of the subject. It is new, or idle for a week, or its id is mistyped.',
    ),
    effect: called(
      termsEffect,
      'The effect of the change. Present after a change and in a dry run.',
    ),
    dryRun: said(say.only(true), 'Only of a dry run: nothing has changed.'),
    needsSecondPerson: say.flag(
      'Only of a dry run: whether the change would wait for a second person.',
    ),
  },
);

/** The answer of `findOverride`. */
export const findOverrideAnswer = say.named(
  'FindOverrideAnswer',
  "A subject's overrides of one rule.",
  { subject, overrides, now },
);

/** The answer of `termsChanges`. */
export const termsChangesAnswer = say.named(
  'TermsChangesAnswer',
  'A page of changes, newest first.',
  {
    subject,
    changes: say.list(
      say.named(
        'TermsChange',
        'One change.',
        {
          change: say.oneOf(
            ['override', 'endOverride', 'freeze', 'unfreeze'],
            'The kind of change.',
          ),
          ...author,
          before: say.orNull(terms, 'The terms before the change. Null for none.'),
          after: say.orNull(terms, 'The terms after the change. Null for none.'),
        },
        { rule: say.text('The rule of the override.'), approvedBy },
      ),
      'Newest first.',
    ),
    next: say.nullable(
      say.text('Send it as `before` to get the next page. Null on the last page.'),
    ),
  },
);
