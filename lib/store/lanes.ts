import { keepNewest } from './newest.ts';

/** A lane: one conditional update, or a pipeline that decides everything. */
export type Lane = 'plain' | 'general';

/** Documents that are remembered at a time; the one that was learned first goes first. */
const LEARNED_MAX = 1_000;

/** Calls of a document that the general lane is asked for at once, after it refused. */
const GENERAL_CALLS = 8;

/** Says which lane is asked first. */
export type Lanes = {
  readonly takesPlain: (documentId: string, call: 'hold' | 'settle') => boolean;
  /** Whether a check only looks first: the document has just refused, and a refusal needs no update. */
  readonly looksFirst: (documentId: string) => boolean;
  /** Whether a document held what a check asked, or had room for it. */
  readonly learn: (documentId: string, held: boolean) => void;
  /** Which lane decided a call, for who counts them. */
  readonly note: (lane: Lane) => void;
};

/**
 * Asks the plain lane first, but not of a document that has just refused: it is nearly full. One order
 * looks at it first; of many, or beside home, the general lane is asked, which would be asked as well.
 */
export function learningLanes(note: Lanes['note'] = () => undefined): Lanes {
  const callsLeft = new Map<string, number>();
  return {
    note,
    takesPlain(documentId, call) {
      if (call === 'settle') return true;
      const left = callsLeft.get(documentId);
      if (left === undefined) return true;
      if (left <= 1) callsLeft.delete(documentId);
      else callsLeft.set(documentId, left - 1);
      return false;
    },
    looksFirst: (documentId) => callsLeft.has(documentId),
    learn(documentId, held) {
      if (held) callsLeft.delete(documentId);
      else keepNewest(callsLeft, documentId, GENERAL_CALLS, LEARNED_MAX);
    },
  };
}
