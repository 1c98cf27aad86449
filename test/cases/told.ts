/**
 * Cases as tables: a line a step, in columns.
 *
 *   10:00:00 | check X   | 9 PAYMENT capture | allowed                      | applies b
 *   10:00:01 | check Y   | 5 x3 TRANSFER     | refused, by b                | b: used 9/1, left 1/-; room 1, from 03-03 00:00:00
 *   10:05:00 | rules     | lowered           |                              |
 *   10:06:00 | confirm X | 4                 | confirmed, 4, over b 2, late |
 *   10:07:00 | record Z  | 4 @09:00:00       | recorded, in b, past day     |
 *
 * 1. **When**: on 2 March 2026 where no other day is said, by the clocks of Shanghai where no other zone is.
 * 2. **What**: a call and its order, `wallet/A` that of another application; `rules`, which an operator puts in the place of the others;
 *    or `terms user:u-1`, which replace those of a subject, with `none` for none.
 * 3. **Asked**: the amount, `>=5` (or what fits, at least so much), `x3` (the count), `USD`, `PAYMENT` (the type),
 *    `capture`, `60s` (how long it is held), `+sca` (a proof), `of-25%` (the part of open
 *    holds that its application may have), `merchant:m-1` (all subjects, where one is said),
 *    `channel="app"` (an attribute, as JSON), `joined=@09:00:00` (one that is an instant). Of a record
 *    `@03-01T23:00:00`, when it happened, and `failed`; of that and of a rollback `for-wrong-pin` (the
 *    reason code).
 * 4. **Answered**: the kind, and what else is looked at: `anew` or `again` (a repeat), `as held` or `as
 *    confirmed`, `until` an instant, `full` or `not full` (whether a limit is reached), `full by` which, `by`
 *    the rules that refuse, `without rule` or `frozen` (before `by`), `to prove` which proofs, `lacking` which
 *    required names, `over` maxima that are only told of, and by how much, `got` the part that fits, and `by`
 *    which rules it is no more; of a confirm its amount, `late` or `in time`, and what it is `over` by, or `over none`; of a record the rules
 *    that it is counted `in`, and those whose windows are `past`.
 * 5. **Then**: `applies` and the rules that do, or `none`. Of a rule what is used, held and left, amount/count;
 *    its outcome; `retry` and an instant, or `never`. `room`: the largest amount that would pass, or `any`;
 *    `from` when the ask would, or `never`; each `by` the rules that say so. What is left out, or `-`, is not
 *    looked at.
 */
import type {
  ModelBound,
  ModelCheck,
  ModelCheckAnswer,
  ModelConfirmAnswer,
  ModelExcess,
  ModelRecord,
  ModelRecordAnswer,
  ModelRollbackAnswer,
  ModelRule,
  ModelRuleAnswer,
  ModelTerms,
} from '../model/model-types.ts';
import type {
  CaseStep,
  ExpectedCheck,
  ExpectedConfirm,
  ExpectedRecord,
  ExpectedRollback,
  ExpectedRule,
  LimitCase,
} from './case.ts';

export type ToldCase = Omit<LimitCase, 'steps'> & {
  /** The offset of its clocks from UTC, where it is not that of Shanghai. */
  readonly zone?: string;
  /** Rules that take the place of the others, by the names that the table has for them. */
  readonly changes?: Readonly<Record<string, readonly ModelRule[]>>;
  /** Terms that take the place of a subject's others, by name, too. */
  readonly terms?: Readonly<Record<string, ModelTerms>>;
  readonly steps: string;
};

const SHANGHAI = '+08:00';

/** @throws Error naming the line and the word in it that means nothing */
export function told(one: ToldCase): LimitCase {
  const lines = one.steps.split('\n').filter((line) => line.trim() !== '');
  return {
    ...one,
    steps: lines.map((line) => {
      try {
        return stepOf(line, one);
      } catch (error) {
        throw new Error(`${one.id}: ${String(error)}: ${line.trim()}`, { cause: error });
      }
    }),
  };
}

/** A payment of user u-1 in CNY, one transaction; and the rest of a check, held for 15 minutes. */
const PAYMENT = { subjects: { user: 'u-1' }, currency: 'CNY', count: 1, attributes: {} };
const CHECKED_PAYMENT = { ...PAYMENT, holdMs: 900_000, capture: false };

function stepOf(line: string, { zone = SHANGHAI, changes, terms }: ToldCase): CaseStep {
  const cells = line.split('|').map((cell) => cell.trim());
  const [when = '', what = '', asked = '', answered = '', then = ''] = cells;
  const at = instantOf(when, zone);
  const [call = '', name = ''] = what.split(' ');
  const order = { orderId: name, subjects: PAYMENT.subjects };
  switch (call) {
    case 'check': {
      const request = { ...CHECKED_PAYMENT, ...order, ...paymentOf(asked, zone) };
      return { at, do: 'check', request, expect: checkOf(answered, then, zone) };
    }
    case 'confirm': {
      const request = { ...order, ...requestOf(asked, zone) };
      return { at, do: 'confirm', request, expect: confirmOf(answered) };
    }
    case 'rollback': {
      const request = { ...order, ...requestOf(asked, zone), ...codeOf(asked) };
      return { at, do: 'rollback', request, expect: rollbackOf(answered) };
    }
    case 'record': {
      const [, happened = ''] = / @(\S+)/.exec(asked) ?? meaningless(asked);
      const happenedAt = new Date(instantOf(happened.replace('T', ' '), zone));
      const payment = paymentOf(asked.replace(` @${happened}`, ''), zone);
      const request = { ...PAYMENT, ...order, ...payment, at: happenedAt, ...failureOf(asked) };
      return { at, do: 'record', request, expect: recordOf(answered) };
    }
    case 'approve':
    case 'reject':
    case 'withdraw': {
      const forMs = Number(behind('for', asked)?.replace(/s$/, '') ?? 86_400) * 1_000;
      const request = { orderId: name, decision: DECISIONS[call], forMs } as const;
      return { at, do: 'decide', request, expect: { kind: memberOf(DECIDED, answered) } };
    }
    case 'rules':
      return { at, do: 'rules', rules: changes?.[asked] ?? meaningless(asked) };
    case 'terms': {
      const [kind = '', id = ''] = name.split(':');
      const given = asked === 'none' ? {} : (terms?.[asked] ?? meaningless(asked));
      return { at, do: 'terms', subject: [kind, id], terms: given };
    }
    default:
      return meaningless(what);
  }
}

const DECISIONS = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;
const DECIDED = ['decided', 'closed', 'noReview'] as const;

function meaningless(word: string): never {
  throw new Error(`"${word}" means nothing`);
}

/** `10:00:00` or `03-03 00:00:00.250` as RFC 3339. */
function instantOf(text: string, zone: string): string {
  const [, day = '03-02', time] =
    /^(?:(\d\d-\d\d) )?(\d\d:\d\d:\d\d(?:\.\d{3})?)$/.exec(text) ?? [];
  return time === undefined ? meaningless(text) : `2026-${day}T${time}${zone}`;
}

/** Why a payment failed. */
const CODE = /^for-([a-z0-9-]+)$/;

function codeOf(asked: string): { readonly reasonCode?: string } {
  const [reasonCode] = wordsOf(asked, ' ').flatMap((word) => CODE.exec(word)?.[1] ?? []);
  return reasonCode === undefined ? {} : { reasonCode };
}

function failureOf(asked: string): Pick<ModelRecord, 'failed'> {
  return wordsOf(asked, ' ').includes('failed') ? { failed: codeOf(asked) } : {};
}

type Asked = Partial<Omit<ModelCheck, 'orderId'>>;

function paymentOf(text: string, zone: string): Asked & Pick<ModelCheck, 'amount'> {
  const { amount = meaningless(`${text}, without an amount,`), ...request } = requestOf(text, zone);
  return { ...request, amount };
}

function requestOf(text: string, zone: string): Asked {
  let request: Asked = {};
  for (const word of wordsOf(text, ' ')) {
    const [, count, holdSeconds] = /^(?:x(\d+)|(\d+)s)$/.exec(word) ?? [];
    const [, kind, id] = /^([a-z]+):(.+)$/.exec(word) ?? [];
    const [, name, value] = /^([a-z]+)=(.+)$/.exec(word) ?? [];
    const [, percent] = /^of-(\d+)%$/.exec(word) ?? [];
    if (CODE.test(word) || word === 'failed') continue;
    if (percent !== undefined) request = { ...request, openPercent: Number(percent) };
    else if (/^\d+$/.test(word)) request = { ...request, amount: Number(word) };
    else if (word.startsWith('>='))
      request = { ...request, partial: { min: Number(word.slice(2)) } };
    else if (/^[A-Z]{3}$/.test(word)) request = { ...request, currency: word };
    else if (/^[A-Z]{4,}$/.test(word)) request = { ...request, type: word };
    else if (word.startsWith('+'))
      request = { ...request, proofs: [...(request.proofs ?? []), word.slice(1)] };
    else if (word === 'capture') request = { ...request, capture: true };
    else if (count !== undefined) request = { ...request, count: Number(count) };
    else if (holdSeconds !== undefined)
      request = { ...request, holdMs: Number(holdSeconds) * 1_000 };
    else if (kind !== undefined && id !== undefined)
      request = { ...request, subjects: { ...request.subjects, [kind]: id } };
    else if (name !== undefined && value !== undefined)
      request = {
        ...request,
        attributes: { ...request.attributes, [name]: valueOf(value, zone) },
      };
    else meaningless(word);
  }
  return request;
}

function valueOf(text: string, zone: string): string {
  if (!text.startsWith('@')) return JSON.parse(text) as string; // or what it is
  return instantOf(text.slice(1).replace('T', ' '), zone);
}

const wordsOf = (text: string, separator: string): readonly string[] =>
  text === '' ? [] : text.split(separator).map((word) => word.trim());

/** `a b`, or `none`. */
const namesOf = (text: string): readonly string[] => (text === 'none' ? [] : wordsOf(text, ' '));

function memberOf<Member extends string>(members: readonly Member[], word: string): Member {
  return members.find((member) => member === word) ?? meaningless(word);
}

/** Returns the text behind a word: `until 10:00:00` is `10:00:00` behind `until`. */
function behind(word: string, text: string): string | undefined {
  return text.startsWith(`${word} `) ? text.slice(word.length + 1) : undefined;
}

const CHECKED: readonly ModelCheckAnswer['kind'][] = [
  ...(['allowed', 'refused', 'orderReused', 'alreadyRolledBack', 'tooManyOpenHolds'] as const),
  'incompleteOrder',
];

function checkOf(answered: string, then: string, zone: string): ExpectedCheck {
  const [kind = '', ...clauses] = wordsOf(answered, ',');
  let expected: ExpectedCheck = { kind: memberOf(CHECKED, kind) };
  for (const clause of clauses) {
    const until = behind('until', clause);
    const by = behind('by', clause);
    const fullBy = behind('full by', clause);
    const as = behind('as', clause);
    const lacks = behind('lacking', clause);
    const proofs = behind('to prove', clause);
    const review = /^(review|rejected|approval) (\d+)$/.exec(clause);
    const over = behind('over', clause);
    const got = behind('got', clause);
    if (clause === 'anew' || clause === 'again')
      expected = { ...expected, repeated: clause === 'again' };
    else if (review !== null) expected = { ...expected, ...reviewOf(review) };
    else if (got !== undefined) expected = { ...expected, part: partOf(got) };
    else if (clause === 'full' || clause === 'not full')
      expected = { ...expected, limitReached: clause === 'full' };
    else if (fullBy !== undefined) expected = { ...expected, limitReachedBy: namesOf(fullBy) };
    else if (proofs !== undefined)
      expected = { ...expected, reason: 'challenge', challenges: namesOf(proofs) };
    else if (over !== undefined) expected = { ...expected, notified: excessOf(over) };
    else if (lacks !== undefined) expected = { ...expected, missing: namesOf(lacks) };
    else if (as !== undefined)
      expected = { ...expected, state: memberOf(['held', 'confirmed'], as) };
    else if (until !== undefined) expected = { ...expected, holdExpiresAt: instantOf(until, zone) };
    else if (by !== undefined) expected = { reason: 'rule', ...expected, exceeded: namesOf(by) };
    else if (clause === 'without rule') expected = { ...expected, reason: 'no-rule', exceeded: [] };
    else if (clause === 'frozen') expected = { ...expected, reason: 'frozen' };
    else meaningless(clause);
  }
  for (const clause of wordsOf(then, ';')) {
    const applying = behind('applies', clause);
    const room = behind('room', clause);
    const [, rule, told] = /^([a-z0-9-]+): (.+)$/.exec(clause) ?? [];
    if (applying !== undefined) expected = { ...expected, applying: namesOf(applying) };
    else if (room !== undefined) expected = { ...expected, headroom: roomOf(room, zone) };
    else if (rule !== undefined && told !== undefined)
      expected = { ...expected, rules: { ...expected.rules, [rule]: ruleOf(told, zone) } };
    else meaningless(clause);
  }
  return expected;
}

/** `review 1`, `rejected 1`; `approval 1` of an order that passes by it. */
function reviewOf([, word, place]: RegExpExecArray): Partial<ExpectedCheck> {
  const number = Number(place);
  if (word === 'approval') return { approval: number };
  return { reason: word === 'review' ? 'review' : 'rejected', review: number };
}

/** `60 by user-day`, the rules only where they are looked at. */
function partOf(text: string): NonNullable<ExpectedCheck['part']> {
  const [amount, by] = text.split(' by ');
  return { amount: Number(amount), ...(by === undefined ? {} : { amountBy: namesOf(by) }) };
}

const OUTCOMES: readonly ModelRuleAnswer['outcome'][] = [
  ...(['within', 'reached', 'exceeded', 'exceeded-shadow'] as const),
  ...(['below-minimum', 'below-minimum-shadow'] as const),
  ...(['exceeded-notify', 'exceeded-proven'] as const),
];

function ruleOf(text: string, zone: string): ExpectedRule {
  let rule: ExpectedRule = {};
  for (const clause of wordsOf(text, ',')) {
    const [used, held, left] = ['used', 'held', 'left'].map((word) => behind(word, clause));
    const retry = behind('retry', clause);
    if (used !== undefined) rule = { ...rule, used: boundOf(used) };
    else if (held !== undefined) rule = { ...rule, held: boundOf(held) };
    else if (left !== undefined) rule = { ...rule, remaining: boundOf(left) };
    else if (retry !== undefined)
      rule = { ...rule, retryAt: retry === 'never' ? null : instantOf(retry, zone) };
    else rule = { ...rule, outcome: memberOf(OUTCOMES, clause) };
  }
  return rule;
}

/** `9/1` is an amount of 9 and a count of 1; `-` is not looked at. */
function boundOf(text: string): ModelBound {
  const [, amount = '', count = ''] = /^(-?\d+|-)\/(\d+|-)$/.exec(text) ?? meaningless(text);
  return {
    ...(amount === '-' ? {} : { amount: Number(amount) }),
    ...(count === '-' ? {} : { count: Number(count) }),
  };
}

/** `1 by a b, from 10:00:00 by b`, any of which may be left out. */
function roomOf(text: string, zone: string): NonNullable<ExpectedCheck['headroom']> {
  let room: NonNullable<ExpectedCheck['headroom']> = {};
  for (const clause of wordsOf(text, ',')) {
    const [said = '', by] = clause.split(' by ');
    const from = behind('from', said);
    const rules = by === undefined ? undefined : namesOf(by);
    if (from !== undefined) {
      const earliestAt = from === 'never' ? null : instantOf(from, zone);
      room = { ...room, earliestAt, ...(rules && { earliestBy: rules }) };
    } else if (said === 'any' || /^\d+$/.test(said)) {
      const amount = said === 'any' ? null : Number(said);
      room = { ...room, amount, ...(rules && { amountBy: rules }) };
    } else meaningless(clause);
  }
  return room;
}

const CONFIRMED: readonly ModelConfirmAnswer['kind'][] = [
  ...(['confirmed', 'alreadyConfirmed', 'alreadyRolledBack', 'notFound'] as const),
];

function confirmOf(answered: string): ExpectedConfirm {
  const [kind = '', ...clauses] = wordsOf(answered, ',');
  let expected: ExpectedConfirm = { kind: memberOf(CONFIRMED, kind) };
  for (const clause of clauses) {
    const over = behind('over', clause);
    if (clause === 'anew' || clause === 'again')
      expected = { ...expected, repeated: clause === 'again' };
    else if (clause === 'late' || clause === 'in time')
      expected = { ...expected, late: clause === 'late' };
    else if (over !== undefined) expected = { ...expected, exceeded: excessOf(over) };
    else if (/^\d+$/.test(clause)) expected = { ...expected, amount: Number(clause) };
    else meaningless(clause);
  }
  return expected;
}

const RECORDED: readonly ModelRecordAnswer['kind'][] = ['recorded', 'orderReused'];

function recordOf(answered: string): ExpectedRecord {
  const [kind = '', ...clauses] = wordsOf(answered, ',');
  let expected: ExpectedRecord = { kind: memberOf(RECORDED, kind) };
  for (const clause of clauses) {
    const counted = behind('in', clause);
    const past = behind('past', clause);
    const over = behind('over', clause);
    if (clause === 'anew' || clause === 'again')
      expected = { ...expected, repeated: clause === 'again' };
    else if (counted !== undefined) expected = { ...expected, counted: namesOf(counted) };
    else if (past !== undefined) expected = { ...expected, over: namesOf(past) };
    else if (over !== undefined) expected = { ...expected, exceeded: excessOf(over) };
    else meaningless(clause);
  }
  return expected;
}

/** `user-day 20`, an amount, or `none`. */
function excessOf(text: string): readonly ModelExcess[] {
  if (text === 'none') return [];
  const [, rule = '', amount] = /^([a-z0-9-]+) (\d+)$/.exec(text) ?? meaningless(text);
  return [{ rule, amount: Number(amount) }];
}

const ROLLED_BACK: readonly ModelRollbackAnswer['kind'][] = [
  ...(['rolledBack', 'alreadyConfirmed', 'notFound'] as const),
];

function rollbackOf(answered: string): ExpectedRollback {
  const [kind = '', repeated] = wordsOf(answered, ',');
  return {
    kind: memberOf(ROLLED_BACK, kind),
    ...(repeated === undefined
      ? {}
      : { repeated: memberOf(['anew', 'again'], repeated) === 'again' }),
  };
}
