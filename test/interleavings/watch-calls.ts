/** Follows calls while they run: whether there was room for what they ask all the time, and who disturbed them. */
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import { hasRoom, isFrozen, openIn, placesOf } from './room.ts';
import type { CounterRule } from './scene-rules.ts';
import { countsIn } from './scene-rules.ts';
import { documentsOf, freezableKinds, homeOf, idOf, orderIn, ordersOf, twinsOf } from './scene.ts';
import type { Stage } from './stage.ts';
import type { Stored, StoredHold } from './stored.ts';
import { kindOf } from './watch-documents.ts';

/**
 * Statements of one order that a call may make while nobody disturbs it: in each of three documents it reads,
 * releases what lapsed and writes, all in a commit, and once more where time went on in the first.
 */
const ALONE_MAX = 45;

export type Followed = {
  /** Steps since anything else happened. */
  alone: number;
  /** Times that others changed a document of its orders, or that time went on. */
  disturbed: number;
  /** By rule: there was room for all of its orders, whatever their own shares, at every moment. */
  readonly rooms: Map<CounterRule, boolean>;
  /** There was room for the whole amount of those that take what fits. */
  hadWholeRoom: boolean;
  /** There were places for all of their holds, at every moment. */
  hadPlaces: boolean;
  /** A subject of its orders was frozen at some moment. */
  wasFrozen: boolean;
};

/** Whether there was room in some rules at every moment; none is there while a subject is frozen. */
export function hadRoom(
  followed: Followed | undefined,
  isAsked: (rule: CounterRule) => boolean,
): boolean {
  if (followed === undefined || followed.wasFrozen) return false;
  return [...followed.rooms].every(([rule, had]) => had || !isAsked(rule));
}

export class CallWatch {
  readonly #stage: Stage;
  readonly #isForgotten: (order: number) => boolean;
  readonly #followed = new Map<Running, Followed>();
  #before: ReadonlyMap<string, Stored> = new Map();

  /** @param isForgotten whether home may have forgotten an order, so that it comes as a new one */
  constructor(stage: Stage, isForgotten: (order: number) => boolean) {
    this.#stage = stage;
    this.#isForgotten = isForgotten;
  }

  of(running: Running): Followed | undefined {
    return this.#followed.get(running);
  }

  /** Begins to follow a call; false where it is followed already. */
  begin(running: Running): boolean {
    if (this.#followed.has(running)) return false;
    const followed: Followed = {
      rooms: new Map(running.rules.counted.map((rule) => [rule, true])),
      ...{ alone: 0, disturbed: 0, hadWholeRoom: true, hadPlaces: true, wasFrozen: false },
    };
    this.#look(running, followed);
    this.#followed.set(running, followed);
    return true;
  }

  /** Looks at everything after a move. @throws Broken */
  look(about: Running | 'time'): void {
    const { documents } = this.#stage;
    const changed = this.#changed();
    this.#before = new Map(documents);
    for (const [running, followed] of this.#followed) {
      if (running.state !== 'running' && running !== about) continue;
      this.#look(running, followed);
      if (about === running) {
        followed.alone += 1;
        if (followed.alone > ALONE_MAX * Math.max(1, ordersOf(running.call).length))
          throw new Broken('goes on, though nobody disturbs it', running.call.name);
        continue;
      }
      followed.alone = 0;
      if (about === 'time' || this.#documentsOf(running).some((name) => changed.has(name)))
        followed.disturbed += 1;
    }
  }

  #changed(): ReadonlySet<string> {
    const { documents } = this.#stage;
    const all = new Set([...documents.keys(), ...this.#before.keys()]);
    return new Set([...all].filter((name) => documents.get(name) !== this.#before.get(name)));
  }

  #documentsOf({ call }: Running): readonly string[] {
    const { scene } = this.#stage;
    const own = 'document' in call ? [call.document] : [];
    const isSettling = call.do === 'settle' || call.do === 'settlements';
    // By its id alone a call may settle another order than the one that it means.
    const orders = isSettling
      ? ordersOf(call).flatMap((order) => twinsOf(scene, order))
      : ordersOf(call);
    return [...own, ...orders.flatMap((order) => documentsOf(orderIn(scene, order)))];
  }

  #look({ call, rules }: Running, followed: Followed): void {
    if (call.do !== 'check' && call.do !== 'checks' && call.do !== 'dryRun') return;
    const { scene, documents } = this.#stage;
    const all = ordersOf(call);
    const frozen = freezableKinds(scene);
    const isAsked = (name: string) => countsIn(rules, name) || frozen.includes(kindOf(name));
    const ofAll = all.flatMap((order) => documentsOf(orderIn(scene, order)));
    const names = new Set(ofAll.filter(isAsked));
    const times = [...names].flatMap((name) => this.#stage.timesOf(name));
    for (const name of names) {
      const orders = all.filter((order) => documentsOf(orderIn(scene, order)).includes(name));
      const document = documents.get(name);
      const kind = kindOf(name);
      const isNew = this.#isForgotten;
      const orderOf = (order: number) => orderIn(scene, order);
      // Each document decides by its own time whether a subject is frozen, or has another maximum.
      for (const at of times) {
        const ask = { document, kind, at, rules, orders, orderOf, isNew };
        for (const [rule, had] of followed.rooms)
          if (had && !hasRoom({ ...ask, asks: (one) => one === rule }))
            followed.rooms.set(rule, false);
        followed.hadWholeRoom &&= hasRoom({ ...ask, isWhole: true, asks: () => true });
        followed.wasFrozen ||= isFrozen(document, at);
      }
      followed.hadPlaces &&= this.#hasPlaces(name, orders);
    }
  }

  #hasPlaces(name: string, all: readonly number[]): boolean {
    const { scene } = this.#stage;
    const { openMax } = scene;
    if (openMax === undefined) return true;
    const keyOf = (one: number): string => {
      const order = orderIn(scene, one);
      return `${idOf(order)} ${homeOf(order)}`;
    };
    const keyIn = ({ id, home = name }: StoredHold): string => `${id} ${home}`;
    const own = new Set(all.map(keyOf));
    const at = this.#stage.clockOf(name);
    const document = this.#stage.documents.get(name);
    return [false, true].every((isBeside) =>
      placesOf(openMax, isBeside).every(({ most, isOf }) => {
        // A captured order has a share beside home while its call runs.
        const mine = all.filter((one) => {
          const order = orderIn(scene, one);
          const isHere = (homeOf(order) !== name) === isBeside;
          return isHere && isOf(idOf(order)) && (isBeside || !order.capture);
        });
        const others = openIn(
          document,
          at,
          isBeside,
          (hold) => isOf(hold.id) && !own.has(keyIn(hold)),
        );
        // Several attempts at one order have a share each, until all but one are given back.
        const theirs = mine.map((one) =>
          Math.max(
            1,
            openIn(document, at, isBeside, (hold) => keyIn(hold) === keyOf(one)),
          ),
        );
        return mine.length === 0 || theirs.reduce((sum, open) => sum + open, others) <= most;
      }),
    );
  }
}
