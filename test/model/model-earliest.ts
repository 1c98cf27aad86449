/** When an ask would pass: asked at every instant at which anything changes that is known by now. */
import { bandsOf } from './model-times.ts';
import type { ModelHeadroom, ModelRule } from './model-types.ts';

const DAY = 86_400_000;
/** A week of the times of rules, and another one, because a gap of the clock may swallow some. */
const DAYS_LOOKED_AT = 16;

/** What a check would be answered at an instant, if nothing came and all open holds were confirmed. */
export type ModelThen = {
  readonly passes: boolean;
  /** The ids of the rules that refuse, in the order of the rules. */
  readonly refusing: readonly string[];
};

/**
 * The first instant at which the ask passes, and the rules that refuse it just before; or never, and the rules
 * that refuse it for ever.
 *
 * @param changes instants at which something else changes than that the times of a rule begin or end
 */
export function earliestPass(
  askAt: (at: Date) => ModelThen,
  rules: readonly ModelRule[],
  changes: readonly number[],
  now: Date,
): Pick<ModelHeadroom, 'earliestAt' | 'earliestBy'> {
  if (askAt(now).passes) return { earliestAt: now, earliestBy: [] };
  const dates = rules.flatMap(({ when }) => (when?.dates ?? []).map((date) => Date.parse(date)));
  const known = [now.getTime(), ...changes, ...dates].filter(
    (at) => at >= now.getTime() && Number.isFinite(at),
  );
  const days = new Set(
    known.flatMap((at) =>
      Array.from({ length: DAYS_LOOKED_AT + 3 }, (_, place) => Math.floor(at / DAY) - 2 + place),
    ),
  );
  const bands = rules.flatMap((rule) => [...days].flatMap((day) => bandsOf(rule, day)));
  const ends = bands.flatMap(({ start, end }) => [start, end]).filter((at) => at > now.getTime());
  const instants = [...new Set([...known, ...ends])]
    .sort((one, other) => one - other)
    .map((at) => new Date(at));
  const earliestAt = instants.find((at) => askAt(at).passes);
  if (earliestAt !== undefined) {
    const before = new Date(earliestAt.getTime() - 1);
    return { earliestAt, earliestBy: askAt(before).refusing };
  }
  const last = Math.max(...known);
  const [refusing = [], ...later] = instants
    .filter((at) => at.getTime() >= last)
    .map((at) => askAt(at).refusing);
  const isForEver = (id: string): boolean => later.every((ids) => ids.includes(id));
  return { earliestAt: null, earliestBy: refusing.filter(isForEver) };
}
