import { AMOUNT_MINOR_MAX } from '../lib/shared/bounds.ts';
import { subjects } from '../lib/http/fields.ts';
import { called } from '../lib/http/said.ts';
import { ruleId, until } from './standings.ts';
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
    'True if it applies at the time of the answer. In a list of changes: at the time of the change.',
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
      rule: ruleId,
      max: say.object(
        "The maximum. For an absent sum the rule's maximum applies. Null means no maximum.",
        {},
        { amount: bound('Minor units.'), count: bound('Transactions.') },
      ),
      ...stretch,
      ...author,
    },
    { approvedBy },
  ),
  'Present and future overrides, and past ones until Headroom deletes them.',
);
const subject = subjects('The subject: one kind, and its id.');
const now = say.instant("The instant of the answer, by the database's clock.");

/** The terms of a subject. */
export const terms = say.named('Terms', "A subject's terms.", { freeze, overrides });

/** The answer of `terms`, and of a change that was made. */
export const termsAnswer = say.named(
  'TermsAnswer',
  "A subject's terms now. After a change: with the change.",
  {
    ...{ subject, freeze, overrides, now },
    version: say.text(
      'The version, for `If-Match`. Every change makes a new one. `none` if the subject has no terms.',
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
