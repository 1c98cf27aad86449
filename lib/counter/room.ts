/** No more than this is used and held in a bucket; a missing bucket has nothing. */
export function notAbove(room: number | bigint): unknown {
  return { $not: { $gt: room } };
}
