import { subjects } from '../lib/schema/fields.ts';
import { called } from '../lib/schema/said.ts';
import { BACKTEST_ORDERS_MAX, BACKTESTS_LISTED_MAX } from '../lib/shared/bounds.ts';
import { ruleId } from './standings.ts';
import { actor } from './terms.ts';
import * as say from './words.ts';

/** The states of back-tests: those that have not ended, and those that have. */
export const OPEN_BACKTESTS = ['waiting', 'running'] as const;

/** How a back-test may end. */
export const ENDED_BACKTESTS = ['done', 'failed', 'stopped'] as const;

/** Every state of a back-test. */
export const BACKTEST_STATES = [...OPEN_BACKTESTS, ...ENDED_BACKTESTS] as const;

/** One of them. */
export type JobState = (typeof BACKTEST_STATES)[number];

/** How a back-test takes refused orders that its draft lets pass: their hold expires, or they are confirmed at once. */
export const FREED = ['unpaid', 'paid'] as const;

/** One of them. */
export type Freed = (typeof FREED)[number];

/** The answers of the calls of back-tests. */

const checks = say.sum('How many checks.');
const amount = say.large('Minor units. Above 2^53: the nearest number.');

const checkSum = say.named('BacktestSum', 'Checks, and the amounts that they asked for.', {
  checks,
  amount,
});

const refusedFields = {
  checks,
  amount,
  orders: say.sum('How many orders: tries of one order are one.'),
  payments: say.sum(
    'How many likely payments: orders of the same subjects and amount within ten minutes are one.',
  ),
  subjects: say.sum('How many subjects.'),
};

const refusedSum = say.named('BacktestRefused', 'Refused checks.', refusedFields);

const ends = say.named('BacktestEnds', 'The decisions.', {
  allowed: called(checkSum, 'Checks that pass.'),
  refused: called(refusedSum, 'Checks that are refused.'),
});

const counts = say.named('BacktestCounts', 'Checks of a time.', {
  allowed: say.sum('Checks that pass.'),
  refused: say.sum('Checks that are refused.'),
});

const bothCounts = {
  recorded: called(counts, 'As they were decided.'),
  draft: called(counts, 'As the draft decides them.'),
};

const draftEnds = say.named('BacktestDraft', 'The decisions of the draft.', {
  draft: called(ends, 'The decisions of the draft.'),
  notNeeded: say.sum(
    'Other tries of an order that was refused, and that the draft holds already. No other number has them.',
  ),
  newlyRefused: called(refusedSum, 'Checks that passed, and that the draft refuses.'),
  newlyAllowed: called(refusedSum, 'Checks that were refused, and that the draft lets pass.'),
  less: called(checkSum, 'Checks that pass with less than was recorded, and how much less.'),
  more: called(checkSum, 'Checks that pass with more than was recorded, and how much more.'),
  outcomes: say.named('BacktestOutcomes', 'How the newly refused orders ended.', {
    paid: called(checkSum, 'They were paid.'),
    paidLate: called(checkSum, 'They were paid after their hold had expired.'),
    givenBack: called(checkSum, 'They were given back.'),
    expired: called(checkSum, 'Nobody ended them.'),
    refunded: called(checkSum, 'They were paid and refunded.'),
    held: called(checkSum, 'Their hold went on beyond the end.'),
  }),
  byRule: say.list(
    say.named('BacktestRule', 'A rule of the draft that refuses.', {
      rule: ruleId,
      ...refusedFields,
      alone: say.sum('Checks that no other rule refuses.'),
    }),
    'The rules that refuse, most checks first.',
  ),
  byDay: say.list(
    say.named('BacktestDay', 'A day.', {
      from: say.writtenInstant('Its first instant. Days are counted from `from` on.'),
      ...bothCounts,
    }),
    'The days that have checks.',
  ),
  byHour: say.list(
    say.named('BacktestHour', 'An hour of the week.', {
      day: say.whole('The day, from 0 on: day 0 begins with `from`.', 0, 6),
      hour: say.whole('The hour of the day, from 0 on.', 0, 23),
      ...bothCounts,
    }),
    'The hours of a week that have checks.',
  ),
});

const differences = say.named('BacktestDifferences', 'Checks that are decided otherwise.', {
  differences: checks,
  share: say.fraction('Their share of all checks.'),
});

const concerned = say.named('BacktestSubjects', 'The subjects that are newly refused.', {
  most: say.list(
    say.named('BacktestSubject', 'A subject.', {
      subject: say.text('Its kind and id, such as `user:u-1`.'),
      checks,
    }),
    'Those with most newly refused checks.',
  ),
  once: say.sum('How many have 1.'),
  twice: say.sum('How many have 2.'),
  threeToFive: say.sum('How many have 3 to 5.'),
  more: say.sum('How many have more.'),
});

const missing = say.named('BacktestMissing', 'Gaps in the audit.', {
  lostRows: say.sum('At least so many rows were lost.'),
  withoutCheck: say.sum('Ends and refunds of orders whose check has no row.'),
  undecided: say.sum('Payments that passed undecided. They are not counted.'),
  withoutAttributes: say.sum('Rows without attributes, where rules ask for some.'),
  rulesWithAttributes: say.list(ruleId, 'The rules that ask for some.'),
  withoutOrder: say.sum('Rows whose instants alone order them.'),
  withoutSettings: say.sum('Rows that are older than the first settings that are noted.'),
  withoutRules: say.sum('Rows that are older than the first stored rules.'),
  withoutLeast: say.sum('Orders that take what fits, and whose least no row has.'),
  approved: say.sum('Orders that a second person let pass. They pass every review.'),
  countedFrom: say.nullable(
    say.writtenInstant(
      "The instant of the audit's first row, where windows began before it. Null where none did.",
    ),
  ),
  rulesCountedFrom: say.list(ruleId, 'Their rules.'),
  rulesOfOthers: say.list(
    ruleId,
    'A back-test of one subject: rules whose sums others have a part in.',
  ),
});

const result = say.named('BacktestResult', 'The result.', {
  rows: say.sum('Rows that were read.'),
  warmUpFrom: say.writtenInstant('The first instant that was read.'),
  control: say.named(
    'BacktestControl',
    'The error of the test: the rules of the time, replayed beside the record.',
    {
      checks: say.sum('Checks of the time.'),
      direct: called(differences, 'Each check is judged by what happened before it.'),
      knockOn: called(differences, 'Each check is judged by the decisions of the replay.'),
    },
  ),
  currencies: say.list(
    say.named('BacktestCurrency', 'The checks of one currency.', {
      currency: say.text('The currency. Empty for rows without one.'),
      recorded: called(ends, 'As they were decided.'),
      direct: called(draftEnds, 'Each check is judged by what happened before it.'),
      knockOn: called(draftEnds, "The draft's own decisions stand before each check."),
    }),
    'Amounts are never added up over currencies.',
  ),
  subjects: say.named('BacktestConcerned', 'Who is newly refused.', {
    direct: called(concerned, 'Judged by what happened.'),
    knockOn: called(concerned, 'With knock-on.'),
  }),
  missing: called(missing, 'Gaps in the audit.'),
});

const fields = {
  id: say.text('The id. A repeated question has the same id.'),
  state: say.oneOf(
    BACKTEST_STATES,
    '`waiting`: it has not begun. `failed`: `problem` says why. A question that was stopped or failed may be asked again.',
  ),
  from: say.instant('The first instant.'),
  to: say.instant('The first instant that is left out.'),
  freed: say.oneOf(FREED, 'How orders went on that were refused, and that the draft allows.'),
  revision: say.sum('The version of the rules when it was asked for.'),
  at: say.instant('The time of the question.'),
  by: called(actor, 'Who asked.'),
  progress: say.named('BacktestProgress', 'How far it has come.', {
    rows: say.sum('Rows that were read.'),
    percent: say.whole('Percent of the time that is read.', 0, 100),
  }),
  startedAt: say.nullable(say.instant('When it began. Null while it waits.')),
  endedAt: say.nullable(say.instant('When it ended. Null until then.')),
  goneAt: say.instant('When Headroom deletes it.'),
};

const asked = {
  rule: say.text('The id of the rule that is put or dropped. Absent for a whole set.'),
  subject: subjects('A back-test of one subject: its kind and id.'),
};

const listed = say.named('BacktestListed', 'A back-test without its result.', fields, asked);

/** The answer of `startBacktest`, `findBacktest` and `stopBacktest`. */
export const backtestAnswer = say.named(
  'BacktestAnswer',
  'A back-test.',
  {
    ...fields,
    draft: say.anything('The draft: `rules`, `put` or `drop`, as in the request.'),
    result: say.orNull(result, 'Null until it is done.'),
    problem: say.orNull(
      say.named('BacktestProblem', 'Why it failed.', {
        code: say.text('The code.'),
        detail: say.text('The reason.'),
      }),
      'Null unless it failed.',
    ),
  },
  asked,
);

/** The answer of `listBacktests`. */
export const backtestsAnswer = say.named('BacktestsAnswer', 'Back-tests, newest first.', {
  backtests: say.list(listed, 'Newest first.', BACKTESTS_LISTED_MAX),
});

/** The answer of `backtestOrders`. */
export const backtestOrdersAnswer = say.named(
  'BacktestOrdersAnswer',
  'Orders that the draft decides otherwise.',
  {
    orders: say.list(
      say.named(
        'BacktestOrder',
        'A check.',
        {
          app: say.text('The application that owns the order.'),
          orderId: say.text('The order.'),
          at: say.writtenInstant('The time of the check.'),
          subjects: subjects('The subjects of the order.'),
          currency: say.text('The currency. Empty for a row without one.'),
          amount: say.sum('Minor units.'),
          rules: say.list(ruleId, 'The rules that refuse, of the draft or as recorded.'),
        },
        { sentence: say.text('Why the draft refuses it.') },
      ),
      'Newest first.',
      BACKTEST_ORDERS_MAX,
    ),
    next: say.nullable(
      say.text('Send it as `before` to get the next page. Null on the last page.'),
    ),
  },
);
