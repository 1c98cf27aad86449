import { AMOUNT_MINOR_MAX } from '../lib/shared/bounds.ts';
import { subjects } from '../lib/http/fields.ts';
import { called } from '../lib/http/said.ts';
import { ruleId, until } from './standings.ts';
import * as say from './words.ts';

/** What the calls of subjects' terms answer. */

/** Who did something. */
export const actor = say.named(
  'Actor',
  'Who did something.',
  {
    kind: say.oneOf(
      ['application', 'principal', 'invocation', 'command', 'local'],
      '`application`: it signed the call; `principal`: API Gateway let it through; `invocation`: IAM let it invoke the function; `command`: somebody at a command line; `local`: nobody was asked.',
    ),
    id: say.text("An application's id, a principal's ARN or subject, a user of a machine."),
  },
  { person: say.text('As `X-Actor` named them.') },
);

const author = {
  at: say.instant('When it was done.'),
  by: called(actor, 'Who did it.'),
  reason: say.text('Why, in their words.'),
};
/** Who let something through. */
export const approvedBy = called(actor, 'Who let it through, where it needed a second person.');

const stretch = {
  inForce: say.flag('At the instant of the answer; of what a change left, at that of the change.'),
  from: say.instant('When it begins.'),
  until,
};
const bound = (description: string) => say.nullable(say.whole(description, 0, AMOUNT_MINOR_MAX));

const freeze = say.orNull(
  say.named(
    'Freeze',
    'While it is in force every new check of the subject is refused.',
    { ...stretch, ...author },
    { approvedBy },
  ),
  'Null where there is none.',
);
const overrides = say.list(
  say.named(
    'Override',
    "A subject's own maximum of one rule.",
    {
      rule: ruleId,
      max: say.object(
        'What is absent stays that of the rule; null is no maximum.',
        {},
        { amount: bound('Minor units.'), count: bound('Transactions.') },
      ),
      ...stretch,
      ...author,
    },
    { approvedBy },
  ),
  'Those in force, those to come, and those that are over and not yet taken out.',
);
const subject = subjects('Whose they are: one kind, and its id.');
const now = say.instant("The instant of the answer, by the database's clock.");

/** What a subject has of its own. */
export const terms = say.named('Terms', "A subject's terms.", { freeze, overrides });

/** What `terms` answers, and a change that was made. */
export const termsAnswer = say.named(
  'TermsAnswer',
  "A subject's terms; after a change, as they stand now.",
  {
    ...{ subject, freeze, overrides, now },
    version: say.text(
      'Another one after each change, for `If-Match`; `none` where there are none.',
    ),
  },
);

/** What `findOverride` answers. */
export const findOverrideAnswer = say.named(
  'FindOverrideAnswer',
  "A subject's overrides of one rule.",
  { subject, overrides, now },
);

/** What `termsChanges` answers. */
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
          change: say.oneOf(['override', 'endOverride', 'freeze', 'unfreeze'], 'What was done.'),
          ...author,
          before: say.orNull(terms, 'What the subject had; null for nothing.'),
          after: say.orNull(terms, 'What it has since; null for nothing.'),
        },
        { rule: say.text('Of an override, its rule.'), approvedBy },
      ),
      'Newest first.',
    ),
    next: say.nullable(say.text('What to ask for as `before` next; null where there are no more.')),
  },
);
