/** What must be true of rules that only tell: they count every order, and are told of while they are exceeded. */
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import type { Heard } from './perform.ts';
import type { CounterRule } from './scene-rules.ts';
import { documentsOf, homeOf, idOf, orderIn } from './scene.ts';
import type { Stage } from './stage.ts';
import { bucketsOf, holdsOf } from './stored.ts';
import { kindOf } from './watch-documents.ts';

/** Whether a rule was exceeded with an order at some moment of its call, and at all of them. */
type Exceeded = { ever: boolean; always: boolean };

export class ToldWatch {
  readonly #stage: Stage;
  readonly #isForgotten: (order: number) => boolean;
  /** By call: its rules that only tell, as they are exceeded while it runs. */
  readonly #followed = new Map<Running, Map<CounterRule, Exceeded>>();

  constructor(stage: Stage, isForgotten: (order: number) => boolean) {
    this.#stage = stage;
    this.#isForgotten = isForgotten;
  }

  /** Looks at every check of one order that runs. */
  look(about: Running | 'time'): void {
    if (about !== 'time' && about.call.do === 'check' && !this.#followed.has(about)) {
      const telling = about.rules.counted.filter(({ tellsAbove }) => tellsAbove !== undefined);
      this.#followed.set(
        about,
        new Map(telling.map((rule) => [rule, { ever: false, always: true }])),
      );
    }
    for (const [running, rules] of this.#followed) {
      if (running.state !== 'running' && running !== about) continue;
      const { call } = running;
      if (call.do !== 'check') continue;
      for (const [rule, exceeded] of rules) {
        const { least, most } = this.#takenWith(call.order, rule);
        exceeded.ever ||= most > (rule.tellsAbove ?? Infinity);
        exceeded.always &&= least > (rule.tellsAbove ?? Infinity);
      }
    }
  }

  /** Compares what an answer tells of an order that is held now. @throws Broken */
  hear({ order, running }: Heard, answer: CheckAnswer): void {
    const followed = this.#followed.get(running);
    if (answer.kind !== 'allowed' || answer.repeated || followed === undefined) return;
    const scene = orderIn(this.#stage.scene, order);
    if (this.#isForgotten(order) || scene.capture) return;
    const told = new Set(answer.exceeded.map(({ rule }) => rule));
    for (const [{ rule, kind }, { ever, always }] of followed) {
      if (!(kind in scene.subjects)) continue;
      const name = `${running.call.name} of ${scene.orderId}: ${rule}`;
      if (told.has(rule) && !ever) throw new Broken('told of a maximum that is not exceeded', name);
      if (!told.has(rule) && always)
        throw new Broken('not told of a maximum that is exceeded', name);
    }
  }

  /** How many orders a rule counts together with one: by any clock, and with other attempts at it or without. */
  #takenWith(order: number, { counter, kind }: CounterRule) {
    const scene = orderIn(this.#stage.scene, order);
    const name = documentsOf(scene).find((one) => kindOf(one) === kind);
    if (name === undefined) return { least: 0, most: 0 };
    const stored = this.#stage.documents.get(name);
    const id = idOf(scene);
    const latest = Math.max(...this.#stage.timesOf(name).map((at) => at.getTime()));
    const holds = holdsOf(stored).filter(({ buckets }) =>
      buckets.some((bucket) => bucket.split(' ')[0] === counter),
    );
    const own = holds.filter((hold) => hold.id === id && (hold.home ?? name) === homeOf(scene));
    const others = holds.filter((hold) => !own.includes(hold));
    const live = others.filter(({ until }) => until.getTime() > latest);
    const used = bucketsOf(stored)
      .filter((bucket) => bucket.counter === counter)
      .reduce((sum, { usedCount }) => sum + usedCount, 0);
    return {
      least: used + live.length + 1,
      most: used + others.length + Math.max(1, own.length),
    };
  }
}
