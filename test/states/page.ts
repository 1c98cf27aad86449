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

For anyone who must know what a call does to an order. You will find the answer and the new state of each call.

For example, [Confirms](#confirms) has "confirmed, late → **confirmed late**" for a confirm of an order that is **expired**. The payment counts, the answer has \`late: true\`, and the order is then confirmed late.

The order is one of 3.00. A user checks it, or a user (home) and a merchant, over two documents.

- A cell has the answer. After the arrow comes the new state. Without an arrow nothing changes.
- \`CODES\` are problems. "repeated", "late" and "confirmed" are fields of the answer. An amount is shown if it is not 3.00.
- "would be allowed" is the answer of a dry run. "not at merchant" means that the payment does not count in that document.
- An empty cell has no such reservation.
- Over two documents both hold and count the same, unless the name of the state says otherwise.

A call that died may leave a share in the second document. It is no part of the order. It takes room there until it expires, whatever happens to the order, unless a cell says "nothing left". A share that outlives the hold at home by a second belongs to the order: a settlement takes it.

The state is the one in the home document. Only home knows an order. If another user has the same id, it is another order, and \`unknown\` until that user's check. The audit finds an id anywhere. If two homes know an id, a confirm, rollback, refund or status by the id alone is \`ORDER_AMBIGUOUS\`.

\`test/states/\` plays each cell and writes this page. It uses the database. An independent evaluator plays it, too: by conditional updates, and by what it reads. It sends each order alone, among many (\`checks\`, \`settlements\`, \`record\`), and checks in an atomic call. To change the page, change the table there and run \`npx vitest run test/states -u\`.`;

export function statesPage(): string {
  return [
    INTRODUCTION,
    '## States',
    tableOf(['state', 'what happened', 'documents'], (state) => [
      state.says,
      String(state.documents),
    ]),
    '## Checks',
    operationTable(CHECKS),
    '`checks` has no dry run, and an atomic call has no `capture`. If an atomic call holds the order, it drops the shares that other calls left.',
    '## Confirms',
    operationTable(CONFIRMS),
    '## Rollbacks',
    operationTable(ROLLBACKS),
    '## Records',
    operationTable(RECORDS),
    'Over two documents a record is one commit. It drops the shares that other calls left.',
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
