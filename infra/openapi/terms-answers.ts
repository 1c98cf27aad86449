import { AMOUNT_MINOR_MAX } from '../../lib/domain/bounds.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import {
  called,
  flag,
  instant,
  list,
  nullable,
  object,
  oneOf,
  referenceTo,
  text,
} from './json-schema.ts';

/** What the calls of subjects' terms answer, field by field. */

const ORDER = 'Those in force, those to come, and those that are over and not yet taken out.';

const bound = (description: string): JsonObject =>
  nullable({ type: 'integer', minimum: 0, maximum: AMOUNT_MINOR_MAX, description });

const author = {
  at: instant('When it was done.'),
  by: called('Actor', 'Who did it.'),
  reason: text('Why, in their words.'),
};

const approvedBy = called('Actor', 'Who let it through, where it needed a second person.');

const stretch = {
  inForce: flag('At the instant of the answer; of what a change left, at that of the change.'),
  from: instant('When it begins.'),
  until: nullable(instant('When it ends; null where nobody has said.')),
};

const freeze: JsonObject = {
  anyOf: [referenceTo('Freeze'), { type: 'null' }],
  description: 'Null where there is none.',
};
const overrides = list(referenceTo('Override'), ORDER);
const subject = called('Subjects', 'Whose they are: one kind, and its id.');
const now = instant("The instant of the answer, by the database's clock.");

const had = (description: string): JsonObject => ({
  anyOf: [referenceTo('Terms'), { type: 'null' }],
  description,
});

/** Components for terms. */
export const TERMS_ANSWERS: Readonly<Record<string, JsonObject>> = {
  Actor: object(
    'Who did something.',
    {
      kind: oneOf(
        ['application', 'principal', 'invocation', 'command', 'local'],
        '`application`: it signed the call; `principal`: API Gateway let it through; `invocation`: IAM let it invoke the function; `command`: somebody at a command line; `local`: nobody was asked.',
      ),
      id: text("An application's id, a principal's ARN or subject, a user of a machine."),
    },
    { person: text('As `X-Actor` named them.') },
  ),
  Override: object(
    "A subject's own maximum of one rule.",
    {
      rule: text("The rule's id."),
      max: object(
        'What is absent stays that of the rule; null is no maximum.',
        {},
        { amount: bound('Minor units.'), count: bound('Transactions.') },
      ),
      ...stretch,
      ...author,
    },
    { approvedBy },
  ),
  Freeze: object(
    'While it is in force every new check of the subject is refused.',
    {
      ...stretch,
      ...author,
    },
    { approvedBy },
  ),
  Terms: object("A subject's terms.", { freeze, overrides }),
  TermsAnswer: object("A subject's terms; after a change, as they stand now.", {
    ...{ subject, freeze, overrides, now },
    version: text('Another one after each change, for `If-Match`; `none` where there are none.'),
  }),
  FindOverrideAnswer: object("A subject's overrides of one rule.", { subject, overrides, now }),
  TermsChange: object(
    'One change.',
    {
      change: oneOf(['override', 'endOverride', 'freeze', 'unfreeze'], 'What was done.'),
      ...author,
      before: had('What the subject had; null for nothing.'),
      after: had('What it has since; null for nothing.'),
    },
    { rule: text('Of an override, its rule.'), approvedBy },
  ),
  TermsChangesAnswer: object('A page of changes, newest first.', {
    subject,
    changes: list(referenceTo('TermsChange'), 'Newest first.'),
    next: nullable(text('What to ask for as `before` next; null where there are no more.')),
  }),
};
