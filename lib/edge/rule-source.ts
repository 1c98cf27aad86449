import type { Rule } from '../domain/rule.ts';
import { parseRules } from './rule-list.ts';

/** How long rules may be used that could not be loaded again: 5 minutes. */
export const RULES_KEPT_MS = 300_000;

/** Least time between two loads that fail, so that a store in trouble is not asked with every call. */
const RETRY_MS = 1_000;

/** Where rules come from, and how old they may get. */
export type RuleSourceOptions = {
  /** Gives all rules in the form of a rule file. */
  readonly load: () => Promise<readonly unknown[]>;
  readonly maxAgeMs: number;
  /** The machine's clock, in milliseconds. Not a monotonic one: it stands still while a function is frozen. */
  readonly nowMs: () => number;
  /** Told that rules could not be loaded and older ones are in force. */
  readonly onStale: (error: unknown, ageMs: number) => void;
};

/** Rules in force. */
type Loaded = {
  readonly rules: readonly Rule[];
  /** What they were read from: the same text gives the same rules, and what they have worked out. */
  readonly text: string;
  readonly loadedMs: number;
};

/**
 * Gives the rules in force, loaded again when they are older than `maxAgeMs`; one load at a time.
 *
 * When a load fails, or what it gives is wrong, the rules stay in force for RULES_KEPT_MS after they
 * were loaded: a moment's trouble must not stop payments. Without any, and after that time, the call
 * fails as the load did: as UndecidedError, or with the list of what is wrong with the rules.
 */
export function ruleSource(options: RuleSourceOptions): () => Promise<readonly Rule[]> {
  const { nowMs, maxAgeMs } = options;
  let loaded: Loaded | undefined;
  let triedMs = -Infinity;
  let loading: Promise<readonly Rule[]> | undefined;

  async function load(): Promise<readonly Rule[]> {
    try {
      loaded = await loadAfter(loaded, options);
      return loaded.rules;
    } catch (error) {
      const ageMs = loaded === undefined ? Infinity : nowMs() - loaded.loadedMs;
      if (loaded === undefined || ageMs > RULES_KEPT_MS) throw error;
      triedMs = nowMs();
      options.onStale(error, ageMs);
      return loaded.rules;
    } finally {
      loading = undefined;
    }
  }

  return async () => {
    const now = nowMs();
    const fresh = loaded !== undefined && now - loaded.loadedMs < maxAgeMs;
    const tried = loaded !== undefined && now - triedMs < RETRY_MS;
    if (loaded !== undefined && (fresh || tried)) return loaded.rules;
    loading ??= load();
    return loading;
  };
}

async function loadAfter(
  before: Loaded | undefined,
  { load, nowMs }: RuleSourceOptions,
): Promise<Loaded> {
  const loadedMs = nowMs(); // what is loaded is at least as new as the question
  const given = await load();
  const text = JSON.stringify(given);
  const rules = before?.text === text ? before.rules : parseRules(given, 'the database');
  return { rules, text, loadedMs };
}
