import type { Payment } from '../../packages/client/src/index.ts';
import { countText } from '../output.ts';

/** Ids that a program may have changed on their way into the file, which nobody refuses. */
const KINDS = [
  {
    pattern: /^\d(\.\d+)?E\+\d+$/i,
    says: 'like a long number that a spreadsheet shortened. Shortening turns different ids into one. Was the column saved as text?',
  },
  {
    pattern: /^\s|\s$/,
    says: 'with a space at an end. It is another id than the one without.',
  },
] as const;

/** How many rows have an id of one kind, and the first of them. */
type Found = { rows: number; readonly id: string; readonly line: number };

/** Looks for ids, of orders and subjects, that look as if a program had changed them. */
export class OddIds {
  readonly #found = new Map<(typeof KINDS)[number], Found>();

  look({ orderId, subjects }: Payment, line: number): void {
    const ids = [orderId, ...Object.values(subjects)];
    for (const kind of KINDS) {
      const id = ids.find((one) => kind.pattern.test(one));
      if (id === undefined) continue;
      const found = this.#found.get(kind) ?? { rows: 0, id, line };
      this.#found.set(kind, { ...found, rows: found.rows + 1 });
    }
  }

  warnings(): readonly string[] {
    return [...this.#found].map(
      ([{ says }, { rows, id, line }]) =>
        `${countText(rows, 'row')} ${rows === 1 ? 'has' : 'have'} an id such as ${JSON.stringify(id)} (line ${line}), ${says}`,
    );
  }
}
