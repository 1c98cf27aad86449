import * as z from 'zod/mini';
import { NEAR_SHARES } from '../lib/near/near-bounds.ts';
import { subjects } from '../lib/http/fields.ts';
import { said } from '../lib/http/said.ts';
import { frozen, ruleId, ruleUsage, unknownKind } from './standings.ts';
import * as say from './words.ts';

/** What `usage` and `near` answer. */

/** What `usage` answers. */
export const usageAnswer = say.named(
  'UsageAnswer',
  'How every limit of these subjects stands.',
  {
    subjects: subjects('Those that were asked about.'),
    frozen: say.list(frozen, 'Those of them that are frozen.'),
    rules: say.list(ruleUsage, 'Every rule in force that counts for them.'),
    now: say.instant("The instant of the decision, by the database's clock."),
  },
  {
    unknownKinds: say.list(unknownKind, 'Kinds in the query that no rule knows.'),
    asOf: say.instant('Where `stale` was said: everything that was written before is counted.'),
  },
);

const amounts = (description: string) =>
  say.object(description, {}, { amount: say.sum('Minor units.'), count: say.sum('Transactions.') });

/** A maximum that is nearly taken. */
export const nearRow = say.named(
  'NearRow',
  'A maximum that is nearly taken, or more.',
  {
    rule: ruleId,
    mode: say.oneOf(['enforce', 'shadow'], '`shadow` is on trial and refuses nothing.'),
    subjects: subjects('Whose it is.'),
    share: said(
      z.literal(NEAR_SHARES),
      'The largest of these shares that was reached in the window.',
    ),
    max: amounts('The maximum when the row was written.'),
    overridden: say.flag("It is the subject's own."),
    taken: amounts('What was used and held then.'),
    start: say.nullable(say.instant('When the window begins; null where it is no calendar’s.')),
    until: say.nullable(
      say.instant(
        'When the row goes: the end of the window; of a rolling one, when what crossed has left it; null for never.',
      ),
    ),
    at: say.instant('The instant of the counters that the row tells of.'),
  },
  { currency: say.text('What amounts are in.') },
);

/** What `near` answers. */
export const nearAnswer = say.named('NearAnswer', 'A page, nearest first.', {
  near: say.list(nearRow, 'Rows whose window is not over.'),
  next: say.nullable(say.text('For the next page; null on the last.')),
  kept: say.flag('Calls write what they cross (`NEAR`).'),
  scannedAt: say.nullable(
    say.instant('When the list was made from the counters last; null for never.'),
  ),
  now: say.instant('The instant of the answer.'),
});
