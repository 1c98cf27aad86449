import type { unknownKind } from '../../contract/standings.ts';
import type { Told } from '../../contract/words.ts';
import type { UnknownKinds } from '../rules/known-kinds.ts';
import type { RequestSchema } from './requests.ts';
import { fieldsBeside } from './as-invoked.ts';

/** Most names that are offered in the place of one. */
const NEAREST_MAX = 3;

/**
 * Writes which subject kinds of a request no rule knows, each with the names that are nearest to it;
 * nothing where there are none.
 *
 * @param takes of a query, in which a field that is mistyped looks like a kind
 */
export function unknownKindsJson(
  kinds: UnknownKinds | undefined,
  takes?: RequestSchema<unknown>,
): readonly Told<typeof unknownKind>[] | undefined {
  if (kinds === undefined) return undefined;
  const fields = takes === undefined ? [] : fieldsBeside(takes, { subjects: '' });
  const names = [...kinds.known, ...fields];
  return kinds.unknown.map((kind) => ({ kind, nearest: nearestTo(kind, names) }));
}

function nearestTo(name: string, among: readonly string[]): readonly string[] {
  return among
    .map((each) => ({ each, edits: editsBetween(name, each) }))
    .sort((one, other) => one.edits - other.edits)
    .slice(0, NEAREST_MAX)
    .map(({ each }) => each);
}

/** How many letters must be put in, taken out or changed to make one word of another (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const line = [row + 1];
    for (const [column, wanted] of Array.from(other).entries()) {
      const [left = 0, up = 0, both = 0] = [line[column], above[column + 1], above[column]];
      line.push(Math.min(left + 1, up + 1, letter === wanted ? both : both + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
