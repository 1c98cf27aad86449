import type { PastRow } from './past-row.ts';
import { rowsInOrder } from '../audit/audit.ts';

/** Rows that one call of all or none decided together; otherwise one row. */
export type Unit = readonly [PastRow, ...PastRow[]];

/** Rows of one document may have instants that are so far in a wrong order: clocks, and the time that a call takes. */
export const WAIT_MS = 60_000;

type Waiting = { readonly rows: [PastRow, ...PastRow[]]; isGone: boolean };

/** A unit's place among the writes of a document: a refusal comes after the write that it read. */
type PlaceInLine = { readonly unit: Waiting; readonly after: number };

/** Units that wait for rows which may come before them, by their calls and their documents. Plain data. */
export type RowOrder = {
  readonly waiting: Set<Waiting>;
  readonly calls: Map<string, Waiting>;
  readonly places: Map<string, PlaceInLine[]>;
};

/** Nothing waits. */
export function newOrder(): RowOrder {
  return { waiting: new Set(), calls: new Map(), places: new Map() };
}

/**
 * Puts rows in the order in which their documents were written.
 *
 * Rows come by their instants. The number of a write (`q`) puts those of a document in order. Between documents, and
 * where rows have no number, the instant does. Two orders may take turns in two documents: then home decides.
 */
export function addRows({ waiting, calls, places }: RowOrder, rows: readonly PastRow[]): void {
  for (const row of rowsInOrder(rows.toSorted(byPlace))) {
    const call = callOf(row);
    const known = call === undefined ? undefined : calls.get(call);
    const unit = known ?? { rows: [row], isGone: false };
    if (known === undefined) {
      waiting.add(unit);
      if (call !== undefined) calls.set(call, unit);
    } else unit.rows.push(row);
    for (const [index, document] of row.documents.entries())
      addPlace(places, document, { unit, after: placeIn(row, index) });
  }
}

/** Takes the units that are older than an instant, with those that come before them; all without an instant. */
export function* dueUnits(order: RowOrder, until?: Date): Generator<Unit> {
  for (const unit of order.waiting) {
    if (until !== undefined && unit.rows[0].at >= until) return;
    yield* takeInTurn(order, unit, new Set());
  }
}

function addPlace(all: RowOrder['places'], document: string, place: PlaceInLine): void {
  if (Number.isNaN(place.after)) return;
  const places = all.get(document);
  if (places === undefined) {
    all.set(document, [place]);
    return;
  }
  // Nearly always the last one.
  let index = places.length;
  while (index > 0 && (places[index - 1]?.after ?? 0) > place.after) index -= 1;
  places.splice(index, 0, place);
}

/**
 * Home decides: what was written there before always comes first. Other documents may have been written in another
 * order, and then they give way.
 *
 * @param asked those that wait for this one, or could not come yet
 */
function* takeInTurn(order: RowOrder, unit: Waiting, asked: Set<Waiting>): Generator<Unit> {
  if (unit.isGone || asked.has(unit)) return;
  const isFirst = asked.size === 0;
  asked.add(unit);
  for (const before of unitsBefore(order, unit, isAtHome)) yield* takeInTurn(order, before, asked);
  for (const before of unitsBefore(order, unit, isBesideHome))
    yield* takeInTurn(order, before, asked);
  const waits = unitsBefore(order, unit, isAtHome).length > 0;
  if (waits && !isFirst) return;
  leave(order, unit);
  const [first, ...more] = unit.rows.toSorted(byPlace);
  if (first !== undefined) yield [first, ...more];
}

/** Units that wrote a document of a unit before it. */
function unitsBefore(
  { places }: RowOrder,
  unit: Waiting,
  isAmong: (index: number) => boolean,
): readonly Waiting[] {
  const before: Waiting[] = [];
  for (const row of unit.rows)
    for (const [index, document] of row.documents.entries()) {
      if (!isAmong(index)) continue;
      const own = placeIn(row, index);
      for (const place of places.get(document) ?? []) {
        if (!(place.after < own)) break; // as that of a row that tells none
        if (place.unit !== unit) before.push(place.unit);
      }
    }
  return before;
}

function leave({ waiting, calls, places: all }: RowOrder, unit: Waiting): void {
  unit.isGone = true;
  waiting.delete(unit);
  const call = callOf(unit.rows[0]);
  if (call !== undefined) calls.delete(call);
  for (const { documents } of unit.rows)
    for (const document of documents) {
      const places = all.get(document) ?? [];
      const index = places.findIndex((place) => place.unit === unit);
      if (index >= 0) places.splice(index, 1);
      if (places.length === 0) all.delete(document);
    }
}

/** Rows of one call may have one instant. */
function byPlace({ inCall: one = 0 }: PastRow, { inCall: other = 0 }: PastRow): number {
  return one - other;
}

function isAtHome(index: number): boolean {
  return index === 0;
}

function isBesideHome(index: number): boolean {
  return index > 0;
}

/** The call of a row whose orders were decided together. */
function callOf({ atomic, operation, requestId, appId }: PastRow): string | undefined {
  if (atomic !== true || operation !== 'check' || requestId === undefined) return undefined;
  return `${appId} ${requestId}`;
}

/** NaN where the row does not tell it. */
function placeIn({ q = [], effective }: PastRow, index: number): number {
  const number = q[index] ?? 0;
  if (number === 0) return NaN;
  return effective ? number : number + 0.5;
}
