import { heldAt } from '../../lib/document/written.ts';
import { namesInText, placesOf } from '../../lib/document/document.ts';
import type { StoredDocument, StoredPastHold } from '../../lib/document/stored.ts';

type Held = Required<Pick<StoredDocument, 'h' | 'p' | 'open' | 'shares'>>;

/** Open holds as a document has them, from holds that tell their buckets, as `Places.text`. */
export function heldIn(holds: readonly StoredPastHold[]): Held {
  const h: Record<string, object> = {};
  const p: Record<string, { readonly b: string; readonly n: number }> = {};
  for (const { b = '', ...hold } of holds) {
    const digest = placesOf([], namesInText(b)).list;
    if (b !== '') p[digest] = { b, n: (p[digest]?.n ?? 0) + 1 };
    h[heldAt(hold).slice(2)] = { ...hold, ...(b === '' ? {} : { p: digest }) };
  }
  const shares = holds.filter(({ home }) => home !== undefined).length;
  return { h: h as Held['h'], p, open: holds.length - shares, shares };
}

/** The inverse, in the order in which a document has them. */
export function openHoldsOf(document: object | null | undefined): readonly StoredPastHold[] {
  const { h, p = {} }: StoredDocument = document ?? {};
  return Object.values(h ?? {}).map(({ p: digest, ...hold }) => ({
    ...hold,
    b: (digest === undefined ? undefined : p[digest]?.b) ?? '',
  }));
}
