/** Writes docs/internals/states.md from the table. */
import type { StateName } from './all-states.ts';
import { STATES } from './all-states.ts';
import type { OrderState } from './states.ts';
import type { Cell, OperationName } from './table.ts';
import { OPERATIONS, TABLE } from './table.ts';

const CHECKS: readonly OperationName[] = ['check', 'checkOther', 'capture', 'look', 'lookOther'];
const CONFIRMS: readonly OperationName[] = [
  'confirm',
  'confirmLess',
  'confirmReserved',
  'confirmReplaced',
];
const RECORDS: readonly OperationName[] = ['record', 'recordOther'];
const ROLLBACKS: readonly OperationName[] = ['rollback', 'rollbackReserved', 'rollbackReplaced'];

const INTRODUCTION = `# Every operation in every state of an order

Written by \`test/states/\`, which plays each cell on the database, and in an independent evaluator by
conditional updates where they decide and by what is read alone: one by one, among many (\`checks\`,
\`settlements\`, \`record\`), and, for checks, in an atomic call. Change the table there, and let
\`npx vitest run test/states -u\` write this page.

The order is one of 3.00, checked by one user, or by a user (home) and a merchant over two documents. A cell
says what is answered and, after the arrow, how the order stands then; without an arrow nothing changed.
\`CODES\` are problems; "repeated", "late" and "confirmed" are the fields of the answer, an amount is told where
it is not 3.00; "would be allowed" is a dry run's, and "not at" names a document in which a payment is not
counted. An empty cell has no such reservation. Over two documents both hold and count the same, unless the
state's name says otherwise.

What a call that died left in the second document is no part of the order: it holds room there until its time
ends, beside whatever the order comes to, unless a cell says "nothing left". A share that outlives the hold at
home by a second is the order's own: whoever settles it takes it.

The states are those of the order in its home document. An order is known there alone: the same id for another
user is another order, and \`unknown\` until that user's check. The audit finds an id anywhere; a confirm,
rollback, refund or status by the id alone is \`ORDER_AMBIGUOUS\` where two homes know it.`;

/** The whole page, not yet formatted. */
export function statesPage(): string {
  return [
    INTRODUCTION,
    '## States',
    tableOf(['state', '', 'documents'], (state) => [state.says, String(state.documents)]),
    '## Checks',
    operationTable(CHECKS),
    '`checks` takes no dry run, an atomic call no `capture`. An atomic call drops what other calls left of the order, where it holds it.',
    '## Confirms',
    operationTable(CONFIRMS),
    '## Rollbacks',
    operationTable(ROLLBACKS),
    '## Records',
    operationTable(RECORDS),
    'Over two documents a record is one commit, which drops what other calls left of the order.',
    '',
  ].join('\n\n');
}

function operationTable(operations: readonly OperationName[]): string {
  const head = ['state', ...operations.map((operation) => OPERATIONS[operation])];
  return tableOf(head, (_state, name) =>
    operations.map((operation) => {
      const cell = TABLE[name][operation];
      return cell === undefined ? '' : textOf(cell);
    }),
  );
}

function textOf({ answer, then, frees }: Cell): string {
  const said = /^[A-Z_]+$/.test(answer) ? `\`${answer}\`` : answer;
  if (then === undefined) return said;
  return `${said} → **${then}**${frees === 'any' ? ', nothing left' : ''}`;
}

function tableOf(
  head: readonly string[],
  cellsOf: (state: OrderState, name: StateName) => readonly string[],
): string {
  // The keys of STATES are its names.
  const rows = (Object.keys(STATES) as StateName[]).map((name) => [
    `**${name}**`,
    ...cellsOf(STATES[name], name),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
