import { EMPTY_DOCUMENT_MS } from '../shared/bounds.ts';
import type { Addition } from './addition.ts';
import { droppedBy, expireAt } from './addition.ts';
import { isWithin } from './conditions.ts';
import { enteredBy } from './room.ts';
import type { Value } from './update.ts';

/**
 * The one update that is a pipeline: it makes a document where there is none, and leaves one that is
 * there byte for byte as it is. (A filter on the server's clock cannot stand beside `upsert`.)
 *
 * 1. A document that is there has `expireAt`, and stays what it is.
 * 2. A new one gets what orders enter, if the server's instant lies where it was worked out;
 * 3. otherwise only when it was made, and the date at which it may go.
 *
 * @param addition orders that an empty document has room for; none where it has room for none
 */
export function make(addition: Addition, serverNow: Date | string): readonly Value[] {
  const isNew = { $eq: [{ $type: '$expireAt' }, 'missing'] };
  const agrees = { $and: isWithin(serverNow, addition.stretch) as readonly Value[] };
  const empty = { expireAt: { $add: [serverNow, EMPTY_DOCUMENT_MS] } };
  const fresh =
    addition.taken.length === 0
      ? empty
      : { $cond: [agrees, { $literal: madeDocument(addition) }, empty] };
  const made = { $mergeObjects: ['$$ROOT', { madeAt: serverNow }, fresh] };
  return [{ $replaceWith: { $cond: [isNew, made, '$$ROOT'] } }];
}

function madeDocument(addition: Addition): Value {
  const { sums, fields, outcomes } = enteredBy(addition);
  return {
    ...atPaths({ ...fields, ...sums.sums }),
    ...(outcomes.length === 0 ? {} : { settled: outcomes }),
    seen: addition.now,
    expireAt: expireAt(addition),
    ...droppedBy(addition.taken),
  };
}

/** A document that has values at some paths, and no others. */
function atPaths(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const whole: Parts = {};
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let part = whole;
    for (const name of names) part = (part[name] ??= {}) as Parts; // no path leads through a value
    part[last] = value;
  }
  return whole;
}

type Parts = Record<string, Value>;
