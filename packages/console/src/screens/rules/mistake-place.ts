import type { RequestMistake } from '@headroom-limits/client';
import type { Document } from 'yaml';
import { isMap, isNode, isScalar, isSeq } from 'yaml';
import type { DraftReading, RuleDraft } from './draft.ts';
import { FIELDS } from './draft.ts';

/** Where a mistake is shown: at a field of the form, or in the YAML. */
type MistakePlace =
  | { readonly field: keyof RuleDraft }
  | { readonly from: number; readonly to: number };

/** Finds the field of the form that a mistake is about, or else the part of the YAML. */
export function placeOf(
  { path, at }: RequestMistake & Pick<DraftReading['mistakes'][number], 'at'>,
  document: Document,
): MistakePlace {
  if (at !== undefined) return { from: at[0], to: at[1] };
  if (path === 'reason') return { field: 'reason' };
  const parts = partsOf(path);
  const isBegin = (name: keyof typeof FIELDS): boolean =>
    parts.every((part, index) => FIELDS[name][index] === part);
  const names = Object.keys(FIELDS) as (keyof typeof FIELDS)[]; // its own
  const field = parts.length === 0 ? undefined : names.find(isBegin);
  if (field !== undefined && !document.hasIn(parts)) return { field };
  return placeIn(document, parts);
}

/** `rule.per[1]` as `per` and `1`. */
function partsOf(path: string): readonly string[] {
  const found = path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  const parts = [...found].map(([, quoted, index, name]) => quoted ?? index ?? name ?? '');
  return parts[0] === 'rule' ? parts.slice(1) : parts;
}

/** The value at a path; the name of what should have it, where there is none; or else the first line. */
function placeIn(document: Document, parts: readonly string[]) {
  let node: unknown = document.contents;
  let range: readonly [number, number] = [0, 0];
  for (const part of parts) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === part)
      : undefined;
    const inside: unknown = pair?.value ?? (isSeq(node) ? node.items[Number(part)] : undefined);
    const shown = isScalar(inside) ? inside : (pair?.key ?? inside);
    if (!isNode(shown)) break;
    const [from = 0, to = 0] = shown.range ?? [];
    range = [from, to];
    node = inside;
  }
  return { from: range[0], to: range[1] };
}
