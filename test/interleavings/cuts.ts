/** Stories told at every moment: a script stands for all places at which its calls can be interrupted. */
import type { Cases } from '../support/extent.ts';
import { someOf } from '../support/extent.ts';
import type { Mistake } from './planting.ts';
import type { Scene } from './scene.ts';
import type { StepEnd } from './moves.ts';
import { mayQueue } from './stage.ts';
import { Tale, moveOf } from './tale.ts';
import { Broken } from './broken.ts';

/** A tale that is told by a script, in words of calls and documents rather than of single steps. */
export class ScriptedTale extends Tale {
  constructor(scene: Scene, mistake?: Mistake) {
    super(scene, { mistake, isWritten: true });
  }

  async start(...calls: readonly string[]): Promise<void> {
    for (const call of calls) await this.make({ do: 'start', call });
  }

  /** Lets a call take so many steps; how many it took before it ended. */
  async goOn(call: string, steps: number): Promise<number> {
    for (let taken = 0; taken < steps; taken++)
      if (!(await this.#step(call, 'answered'))) return taken;
    return steps;
  }

  async finish(...calls: readonly string[]): Promise<void> {
    for (const call of calls) await this.goOn(call, Infinity);
  }

  async whole(...calls: readonly string[]): Promise<void> {
    for (const call of calls) {
      await this.start(call);
      await this.finish(call);
    }
  }

  /** Lets a call go on until it has written a document, which ends so for it. */
  async goOnPast(call: string, document: string, end: StepEnd = 'answered'): Promise<boolean> {
    for (;;) {
      const isNext = this.stage.steps.some(
        (step) => step.call.call.name === call && step.document === document && step.isWrite,
      );
      if (!(await this.#step(call, isNext ? end : 'answered', isNext ? document : undefined)))
        return false;
      if (isNext) return true;
    }
  }

  /** The next step of a call takes effect, and its caller never hears of it. */
  async lose(call: string): Promise<void> {
    await this.#step(call, 'lost');
  }

  /** The next step of a call loses its answer, and stays on its way. */
  async delay(call: string): Promise<void> {
    await this.#step(call, 'late');
  }

  /** The next write of a call comes to the database, and waits there. Its caller waits, too. */
  async queue(call: string): Promise<void> {
    const step = this.stage.steps.find((one) => one.call.call.name === call && mayQueue(one));
    if (step !== undefined) await this.make({ do: 'queue', call, document: step.document });
  }

  /** The caller has no time left for the next step of a call, which stays on its way. */
  async giveUp(call: string): Promise<void> {
    await this.#step(call, 'overdue');
  }

  async arrive(): Promise<void> {
    for (let [step] = this.stage.onTheWay; step !== undefined; [step] = this.stage.onTheWay)
      await this.make({ do: 'arrive', call: step.call.call.name, document: step.document });
  }

  /** The caller dies; what it had under way never happens. */
  async die(call: string): Promise<void> {
    await this.make({ do: 'crash', call });
    const others = this.stage.onTheWay.filter((step) => step.call.call.name !== call);
    this.stage.onTheWay.splice(0, Infinity, ...others);
  }

  async #step(call: string, end: StepEnd, document?: string): Promise<boolean> {
    const step = this.stage.steps.find(
      (one) => one.call.call.name === call && (document ?? one.document) === one.document,
    );
    return step !== undefined && this.make(moveOf(step, end));
  }
}

type Options = {
  /** The proof by cases whose extent says how many; all where none is named. */
  readonly some?: Cases;
  readonly mistake?: Mistake;
  /** The invariant that ends the telling once it is broken. */
  readonly until?: string;
};

/**
 * Tells a script once for every list of numbers, each below its most.
 *
 * @returns of each invariant that was broken the first story that broke it, as a text to be read
 */
export async function brokenInEvery(
  scene: Scene,
  mosts: readonly number[],
  tell: (tale: ScriptedTale, cuts: readonly number[]) => Promise<void>,
  { some, mistake, until }: Options = {},
): Promise<readonly string[]> {
  const broken = new Map<string, string>();
  const all = cutsBelow(mosts);
  for (const cuts of some === undefined ? all : someOf(some, all)) {
    const tale = new ScriptedTale(scene, mistake);
    try {
      await tell(tale, cuts);
      await tale.end();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      const lines = [error.message, ...(tale.lines ?? []), ...tale.describeDocuments()];
      if (!broken.has(error.invariant))
        broken.set(error.invariant, `cut at ${cuts.join(', ')}: ${lines.join('\n')}`);
      if (error.invariant === until) break;
    }
  }
  return [...broken.values()];
}

function cutsBelow(mosts: readonly number[]): readonly (readonly number[])[] {
  return mosts.reduce<readonly (readonly number[])[]>(
    (lists, most) => lists.flatMap((list) => [...Array(most).keys()].map((cut) => [...list, cut])),
    [[]],
  );
}
