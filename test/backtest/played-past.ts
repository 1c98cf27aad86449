import { setImmediate } from 'node:timers/promises';
import type { AuditRow } from '../../lib/audit/audit.ts';
import type { InForce } from '../../lib/backtest/history.ts';
import type { PastRow } from '../../lib/backtest/past-row.ts';
import type { Past } from '../../lib/backtest/replay-past.ts';
import { compile } from '../../lib/plan/compile.ts';
import { NEEDED_RULES } from '../../lib/plan/plan.ts';
import { documentId } from '../../lib/shared/subject.ts';
import { settingsOf } from '../model/limit-model.ts';
import type { LimitsUnderTest, ModelAnswer } from '../model/model-types.ts';
import type { Walk } from '../model/walk.ts';
import { playWalk } from '../model/walk.ts';
import { memoryRows } from './memory-rows.ts';
import { settingsFrom } from './settings-from.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { libRule, serviceUnderTest } from '../support/service-under-test.ts';

/** What the library wrote down while it played a walk. */
export type Played = { readonly rows: readonly AuditRow[]; readonly inForce: InForce };

/** Two things never happen at one instant, so that their order is known. */
class Instants {
  #lastMs = 0;
  next(now: Date): Date {
    this.#lastMs = Math.max(now.getTime(), this.#lastMs + 1);
    return new Date(this.#lastMs);
  }
}

/** Plays a walk by the whole library over documents in memory, and keeps its rows. */
export async function playedPast(walk: Walk): Promise<Played> {
  const counters = mingoStore();
  const { rows, audit } = memoryRows();
  const service = serviceUnderTest(counters, walk, { audit });
  const instants = new Instants();
  const settings = settingsOf(walk);
  const past = {
    rules: [] as InForce['rules'][number][],
    terms: [] as InForce['terms'][number][],
    settings: settingsFrom(walk.startsAt, {
      needsRule: NEEDED_RULES[settings.onNoRule ?? 'refuse'],
      openHoldsMax: settings.openHoldsMax ?? 100,
    }),
  };
  let now = walk.startsAt;
  const told: ModelAnswer[] = [];
  const asked =
    <Request, Answer extends ModelAnswer>(call: (request: Request, at: Date) => Promise<Answer>) =>
    async (request: Request, at: Date): Promise<Answer> => {
      now = instants.next(at);
      const answer = await call(request, now);
      told.push(answer);
      return answer;
    };
  const first: LimitsUnderTest = {
    async useRules(rules) {
      await service.useRules(rules);
      past.rules.push({ at: instants.next(now), rules: compile(rules.map(libRule)) });
    },
    async useTerms(kind, id, terms, at) {
      now = instants.next(at);
      await service.useTerms(kind, id, terms, now);
      const document = documentId(kind, id);
      const found = await counters.read([document], [], now, now);
      past.terms.push({ at: now, document, terms: found.get(document)?.terms });
    },
    // The part of open holds that an application may have is no part of a replay.
    check: asked((request, at) => service.check({ ...request, openPercent: 100 }, at)),
    confirm: asked((request, at) => service.confirm(request, at)),
    rollback: asked((request, at) => service.rollback(request, at)),
    decide: asked((request, at) => service.decide(request, at)),
    record: asked((request, at) => service.record({ ...request, at: earlier(request.at, at) }, at)),
  };
  const echo = <Answer>(): Promise<Answer> => Promise.resolve(told.at(-1) as Answer);
  const second: LimitsUnderTest = {
    useRules: () => Promise.resolve(),
    useTerms: () => Promise.resolve(),
    check: echo,
    confirm: echo,
    rollback: echo,
    decide: echo,
    record: echo,
  };
  await first.useRules(walk.rules);
  await playWalk(walk, second, first);
  return { rows: rows(), inForce: past };
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

/** Rows as a replay reads them. */
export function pastOf({ rows, inForce }: Played): Past {
  return {
    rows: (from = new Date(0)) => batches(rows.filter(({ at }) => at >= from)),
    checksOf: (asked) =>
      Promise.resolve(
        rows.filter(
          ({ operation, effective, nonce }) =>
            effective &&
            ['check', 'record'].includes(operation) &&
            asked.some((row) => row.nonce === nonce),
        ),
      ),
    firstAt: () => Promise.resolve(rows[0]?.at),
    inForce,
  };
}

/** As a cursor gives them. */
async function* batches(rows: readonly PastRow[]): AsyncGenerator<readonly PastRow[]> {
  for (let first = 0; first < rows.length; first += 7) {
    await setImmediate();
    yield rows.slice(first, first + 7);
  }
}
