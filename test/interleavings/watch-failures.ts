/** What must be true of failures: home has one code of each, which somebody asked for, and nothing stays of it. */
import { Broken } from './broken.ts';
import type { EndedWatch } from './ended.ts';
import type { Ended } from './stored.ts';
import { orderOf, settlementsIn, sharesIn } from './ended.ts';
import type { Running } from './moves.ts';
import type { Heard } from './perform.ts';
import { isOfFailures } from './scene-rules.ts';
import { documentsOf, homeOf, orderIn, twinsOf } from './scene.ts';
import type { Stage } from './stage.ts';
import { bucketsOf, holdsOf, outcomesOf } from './stored.ts';
import { kindOf } from './watch-documents.ts';

export class FailureWatch {
  readonly #stage: Stage;
  readonly #ended: EndedWatch;
  readonly #isForgotten: (order: number) => boolean;
  readonly isWatching: boolean;

  /** @param isForgotten whether home may have forgotten an order, so that it comes as a new one */
  constructor(stage: Stage, ended: EndedWatch, isForgotten: (order: number) => boolean) {
    this.#stage = stage;
    this.#ended = ended;
    this.#isForgotten = isForgotten;
    this.isWatching = [...stage.rulesByCounter.values()].some(isOfFailures);
  }

  /** @param ended by document that the step changed: what it ended there. @throws Broken */
  look(about: Running | 'time', ended: ReadonlyMap<string, readonly Ended[]>): void {
    if (!this.isWatching || about === 'time') return;
    for (const [name, all] of ended) {
      this.#compareCodes(name, all, about);
      this.#compareCaptures(name, about);
    }
  }

  /** Whose rollback is answered has no share left in any document: each of them counts it, or need not. */
  hear({ order, kind }: Heard): void {
    if (!this.isWatching || kind !== 'rolledBack' || this.#isForgotten(order)) return;
    const scene = orderIn(this.#stage.scene, order);
    for (const name of documentsOf(scene))
      for (const { nonce, home } of sharesIn(this.#stage.documents.get(name)))
        if (home === homeOf(scene) && this.#ended.decisionOf(order, nonce)?.to === 'rolledBack')
          throw new Broken('rolled back, and a share is left', `${scene.orderId} in ${name}`);
  }

  /** The first code stands. It is that of the call which decided. */
  #compareCodes(name: string, all: readonly Ended[], about: Running): void {
    const { scene, documents } = this.#stage;
    for (const { order, to, code, hold } of all) {
      if (to !== 'rolledBack' || homeOf(orderIn(scene, order)) !== name) continue;
      const broken = (invariant: string): Broken =>
        new Broken(
          invariant,
          `${orderIn(scene, order).orderId} in ${name}, for ${code ?? 'nothing'}`,
        );
      if (!this.#codesAsked(about, order).includes(code))
        throw broken('rolled back for a code that nobody asked');
      if (hold === undefined && about.call.do !== 'record')
        throw broken('rolled back, and was not held');
    }
    for (const { id, amount, nonce, reasonCode } of outcomesOf(documents.get(name))) {
      const order = orderOf(scene, { id, amount }, name);
      const known = order === undefined ? undefined : this.#ended.decisionOf(order, nonce);
      if (known?.to === 'rolledBack' && known.code !== reasonCode)
        throw new Broken('rolled back for another code', `${id} in ${name}`);
    }
  }

  /** An order that counts at once takes no place among failures, and needs one: beside those before it. */
  #compareCaptures(name: string, { call, rules }: Running): void {
    if (call.do !== 'check' && call.do !== 'checks') return;
    const before = this.#ended.before(name);
    const stored = this.#stage.documents.get(name);
    const wasKnown = new Set([...holdsOf(before), ...outcomesOf(before)].map(({ nonce }) => nonce));
    const isCaptured = outcomesOf(stored).some(
      ({ id, amount, nonce, state }) =>
        state === 'confirmed' &&
        !wasKnown.has(nonce) &&
        orderOf(this.#stage.scene, { id, amount }, name) !== undefined,
    );
    if (!isCaptured) return;
    const latest = Math.max(...this.#stage.timesOf(name).map((at) => at.getTime()));
    const held = holdsOf(stored).filter(({ nonce }) => !wasKnown.has(nonce));
    for (const { kind, counter, max } of rules.counted.filter(isOfFailures)) {
      if (kind !== kindOf(name)) continue;
      const taken = bucketsOf(stored)
        .filter((one) => one.counter === counter && one.until > latest)
        .reduce((sum, { usedCount, heldCount }) => sum + usedCount + heldCount, 0);
      if (taken - held.length + 1 > (max.count ?? Infinity))
        throw new Broken('counted at once without a place among failures', `${counter} of ${name}`);
    }
  }

  /** Why calls asked that an order be rolled back that this one may mean. */
  #codesAsked(about: Running, order: number): readonly (string | undefined)[] {
    const { call } = about;
    const { failed } = orderIn(this.#stage.scene, order);
    if (call.do === 'record') return failed === undefined ? [] : [failed.reasonCode];
    const twins = twinsOf(this.#stage.scene, order);
    return settlementsIn(about).flatMap((one) =>
      one.to === 'rolledBack' && twins.includes(one.order) ? [one.reasonCode] : [],
    );
  }
}
