import type { Db } from 'mongodb';
import type { Near } from '../../lib/near/telling.ts';
import type { ListedNear, NearTold } from '../../lib/near/near.ts';
import type { Limits, LimitsOptions } from '../../lib/edge/limits.ts';
import { mongoNearStore } from '../../lib/near/mongo-near-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { limitsOver, USER_TODAY } from '../support/limits-fixture.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

/** A merchant's 10.00 a day. */
export const MERCHANT_DAY: ModelRule = {
  ...{ ...USER_TODAY, id: 'merchant-day', per: ['merchant'], max: { amount: 1_000 } },
};

/** The events of the service while a test ran. */
export type Heard = {
  /** `merchant-day 80` */
  readonly events: string[];
  readonly lost: { readonly error: unknown; readonly crossings: number }[];
};

/** The service over a database, which tells what its calls cross, and what was told. */
export function nearLimitsOver(
  db: Db,
  rules: readonly ModelRule[],
  options: Partial<LimitsOptions> & { readonly nearly?: Partial<Near> } = {},
): { readonly limits: Limits; readonly heard: Heard } {
  const heard: Heard = { events: [], lost: [] };
  const near: Near = {
    store: mongoNearStore(db, PATIENCE_MS, PATIENCE_MS),
    publish: (told) => {
      heard.events.push(...told.flatMap(eventNames));
      return Promise.resolve();
    },
    onLost: (error, crossings) => heard.lost.push({ error, crossings }),
    waitMs: PATIENCE_MS,
    ...options.nearly,
  };
  return { limits: limitsOver(db, rules, { ...options, near }), heard };
}

function eventNames({ row, percents }: NearTold): readonly string[] {
  return percents.map((percent) => `${row.ruleId} ${percent}`);
}

/** The rows of a database that are not over, those below half of their maximum left out. */
export async function listed(db: Db, now: Date = new Date()): Promise<readonly ListedNear[]> {
  const { rows } = await mongoNearStore(db, PATIENCE_MS).page({ percent: 50, limit: 1_000 }, now);
  return rows;
}
