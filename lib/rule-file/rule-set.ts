import type { Authorship } from '../shared/actor.ts';

/** A rule as its file says, with nothing filled in. */
export type StoredRule = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A rule as it is stored, and the change that made it so. */
export type KeptRule = Authorship & {
  readonly rule: StoredRule;
  /** The revision of the set in which it became so. */
  readonly version: number;
  /** The revision in which its counter began; absent if that was the first, or it counts nothing. */
  readonly generation?: number;
  /** What subjects' own terms call it; absent: its id. */
  readonly namedAs?: string;
};

/** All rules of a deployment, in the order of their ids. They change together, or not at all. */
export type RuleSet = {
  /** How often the set was changed: 0 where there never was a rule. */
  readonly revision: number;
  readonly rules: readonly KeptRule[];
  /** Digest of the rules of the file that `npm start` loaded last. */
  readonly loaded?: string;
};
