/**
 * Who is near a maximum, as the specification says it: a call that takes a part of a maximum which was
 * not taken without it tells that part, unless it was told in the same window before.
 */
import type { LimitModel, ModelStanding } from './limit-model.ts';
import type { LimitsUnderTest, ModelBound, ModelConfirm, ModelSum } from './model-types.ts';

const PARTS = [50, 80, 95, 100] as const;

/** A row: the largest part that was reached, and until when it is there. */
export type ModelRow = { percent: number; until: number; readonly told: Map<number, number> };

export class NearModel {
  readonly #model: LimitModel;
  /** By rule, counter and window. */
  readonly #rows = new Map<string, ModelRow>();
  /** The parts that the last calls took: `user-day {"user":"u-1"} 80`. */
  readonly events: string[] = [];

  constructor(model: LimitModel) {
    this.#model = model;
  }

  /** The rows that are not over: `user-day {"user":"u-1"} 80 until 1772467200000`. */
  rows(now: Date): readonly string[] {
    return [...this.#rows]
      .filter(([, { until }]) => until > now.getTime())
      .map(
        ([name, { percent, until }]) => `${name.split(' at ')[0] ?? ''} ${percent} until ${until}`,
      )
      .sort();
  }

  /** The calls, each with the parts that it crossed. */
  telling(calls: LimitsUnderTest): LimitsUnderTest {
    return {
      ...calls,
      check: async (request, now) => {
        const answer = await calls.check(request, now);
        if (answer.kind === 'allowed' && !answer.repeated) this.#tellNew(request, now);
        return answer;
      },
      record: async (request, now) => {
        const answer = await calls.record(request, now);
        if (answer.kind === 'recorded' && !answer.repeated) this.#tellNew(request, now);
        return answer;
      },
      confirm: (request, now) => this.#settling(request, now, () => calls.confirm(request, now)),
      rollback: (request, now) => this.#settling(request, now, () => calls.rollback(request, now)),
    };
  }

  async #settling<Answer>(request: ModelConfirm, now: Date, settle: () => Promise<Answer>) {
    const before = this.#model.standing(request, now);
    const answer = await settle();
    for (const standing of this.#model.standing(request, now)) {
      const was = before.find(({ rule }) => rule.id === standing.rule.id);
      if (was !== undefined && standing.isSameForAll) this.#tell(standing, was.taken, now);
    }
    return answer;
  }

  #tellNew(request: ModelConfirm, now: Date): void {
    for (const standing of this.#model.standing(request, now))
      this.#tell(standing, standing.byOthers, now);
  }

  #tell({ rule, subjects, entry, taken }: ModelStanding, before: ModelSum, now: Date): void {
    const isRolling = typeof rule.window === 'object' && 'rollingMs' in rule.window;
    // A cooldown is taken whole each time.
    const { count, ...amount } = rule.max;
    const max = isRolling && count === 1 ? amount : rule.max;
    const crossed = PARTS.filter(
      (part) => isTaken(part, max, taken) && !isTaken(part, max, before),
    );
    if (crossed.length === 0) return;
    const isCalendar = typeof rule.window === 'object' && 'unit' in rule.window;
    const window = isCalendar ? entry.start : 'all';
    const who = `${rule.id} ${JSON.stringify(subjects)}`;
    const name = `${who} at ${entry.counter} ${window}`;
    const known = this.#rows.get(name);
    const isThere = known !== undefined && known.until > now.getTime();
    const row: ModelRow = known ?? { percent: 0, until: 0, told: new Map() };
    row.percent = Math.max(isThere ? row.percent : 0, ...crossed);
    row.until = Math.max(row.until, entry.until);
    for (const part of crossed) {
      if ((row.told.get(part) ?? 0) > now.getTime()) continue;
      row.told.set(part, entry.until);
      this.events.push(`${who} ${part}`);
    }
    this.#rows.set(name, row);
  }
}

/** By the larger of the two; amounts and counts of walks are small. */
function isTaken(part: number, max: ModelBound, taken: ModelSum): boolean {
  const share = (of: number | undefined, sum: number): boolean =>
    of !== undefined && sum > 0 && sum >= (of * part) / 100;
  return share(max.amount, taken.amount) || share(max.count, taken.count);
}
