/** What must be true of every single share: each has a nonce that nothing else has. */
import { kindsIn } from '../../lib/shared/subject.ts';
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import type { Scene } from './scene.ts';
import {
  allDocuments,
  documentsOf,
  homeOf,
  orderIn,
  askedIn,
  freezableKinds,
  twinsOf,
} from './scene.ts';
import { countsIn } from './scene-rules.ts';
import { rowsIn } from './memory-audit.ts';
import type { Running } from './moves.ts';
import type { Stage } from './stage.ts';
import { Broken } from './broken.ts';
import type { Ended } from './stored.ts';
import { orderOf, sharesIn } from './ended.ts';
import type { Stored, StoredHold, StoredOutcome } from './stored.ts';
import { holdsOf, outcomesOf, rememberedOf, untilOf } from './stored.ts';
import { kindOf } from './watch-documents.ts';

type Known = { readonly id: string; readonly amount: number };

export class ShareWatch {
  readonly #scene: Scene;
  readonly #stage: Stage;
  readonly #names: readonly string[];
  /** Documents as they were before. Orders are named by their place in the scene. */
  #before = new Map<string, Stored>();
  readonly #deleted = new Set<string>();
  /** By document that was deleted: the move at which it was made again. */
  readonly #madeAgainAt = new Map<string, number>();
  /** By document: the last move before which it had had more outcomes than it remembers. */
  readonly #forgetfulUntil = new Map<string, number>();
  /** By document: shares that were there and are not. */
  readonly #gone = new Map<string, Set<string>>();
  /** Document and nonce of what was counted. */
  readonly #counted = new Set<string>();
  /** By call and order: the nonce that its step confirmed. */
  readonly #decidedBy = new Map<string, string>();
  /** Orders of which home has forgotten something, as it may. */
  readonly forgotten = new Set<number>();
  /** Counters of all payments, under any of the scene's rules. */
  readonly #counters: ReadonlySet<string>;
  /** By call: ids of the orders that the audit knew when it began. */
  readonly #recordedBefore = new Map<Running, ReadonlySet<string>>();
  /** By document and nonce: the end of the window in which its share counts. */
  readonly #ends = new Map<string, number>();
  /** By order and nonce: documents whose kinds had rules for the call that took it. */
  readonly #entered = new Map<string, ReadonlySet<string>>();
  readonly #newest = new Map<number, string>();

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#scene = stage.scene;
    this.#counters = new Set(stage.ruleSets.flatMap(({ counters }) => Object.values(counters)));
    this.#names = allDocuments(stage.scene);
  }

  /**
   * @param about whose step it was
   * @param ended by document that it changed: what it ended there
   * @throws Broken
   */
  look(about: Running | 'time', ended: ReadonlyMap<string, readonly Ended[]>): void {
    const { documents } = this.#stage;
    if (about !== 'time' && !this.#recordedBefore.has(about))
      this.#recordedBefore.set(about, this.#recorded());
    const changed = this.#names.filter((name) => documents.get(name) !== this.#before.get(name));
    for (const name of changed) this.#compareMemory(name, documents.get(name), about);
    for (const [name, all] of ended)
      for (const { order, nonce, to } of all) {
        if (to !== 'confirmed' || about === 'time') continue;
        this.#counted.add(`${name} ${nonce}`);
        if (homeOf(orderIn(this.#scene, order)) === name)
          this.#decidedBy.set(`${about.call.name} ${order}`, nonce);
      }
    for (const name of changed) this.#compareShares(name, documents.get(name));
    for (const name of changed) {
      const now = documents.get(name);
      if (rememberedOf(this.#before.get(name)) > (this.#scene.outcomesMax ?? OUTCOMES_DEFAULT))
        this.#forgetfulUntil.set(name, this.#stage.moves);
      if (now === undefined) {
        this.#before.delete(name);
        this.#deleted.add(name);
        continue;
      }
      if (this.#deleted.delete(name)) this.#madeAgainAt.set(name, this.#stage.moves);
      this.#before.set(name, now);
    }
    for (const name of this.#names) this.#compareHolds(name);
  }

  /**
   * Documents in which a confirmed order is not counted: as the call confirmed it, or else as home has
   * it now. None where home does not know it any more.
   */
  uncountedOf(order: number, { call }: Running): readonly string[] {
    const scene = orderIn(this.#scene, order);
    const home = homeOf(scene);
    const outcome = outcomesOf(this.#stage.documents.get(home)).find(
      (one) => orderOf(this.#scene, one, home) === order && one.state === 'confirmed',
    );
    const nonce = this.#decidedBy.get(`${call.name} ${order}`) ?? outcome?.nonce;
    if (nonce === undefined) return [];
    return documentsOf(scene).filter(
      (name) =>
        name !== home &&
        this.enters(order, name, nonce) &&
        !this.#counted.has(`${name} ${nonce}`) &&
        (this.#ends.get(`${name} ${nonce}`) ?? Infinity) > this.#stage.clockOf(name).getTime(),
    );
  }

  /** Whether a document had had more outcomes than it remembers, at some moment since a call began. */
  wasForgetful(name: string, { startedAt }: Running): boolean {
    const most = this.#scene.outcomesMax ?? OUTCOMES_DEFAULT;
    const isForgetful = rememberedOf(this.#stage.documents.get(name)) > most;
    return isForgetful || (this.#forgetfulUntil.get(name) ?? -Infinity) >= startedAt;
  }

  /** Whether a document was not there at some moment of a call: it was deleted, and is made again since. */
  wasMissing(name: string, { startedAt }: Running): boolean {
    return (this.#madeAgainAt.get(name) ?? -Infinity) >= startedAt;
  }

  /** Whether a document was deleted and made again, so that it shows no share from before. */
  wasMadeAgain(name: string): boolean {
    return this.#madeAgainAt.has(name);
  }

  /** Whether an order is counted in a document: by the rules under which home took it. */
  enters(order: number, name: string, nonce = this.#newest.get(order)): boolean {
    return this.#entered.get(`${order} ${nonce}`)?.has(name) !== false;
  }

  /**
   * Home names the other documents of an order whose kinds have rules, those of the subjects that have the terms of
   * such rules, and those that are always asked.
   */
  #noteTaken(order: number, nonce: string, { rules }: Running, hold?: StoredHold): void {
    if (this.#entered.has(`${order} ${nonce}`)) return;
    const scene = orderIn(this.#scene, order);
    const all = documentsOf(scene);
    this.#entered.set(`${order} ${nonce}`, new Set(all.filter((name) => countsIn(rules, name))));
    this.#newest.set(order, nonce);
    const counted = all.filter((name) => countsIn(rules, name)).map(kindOf);
    const asked = [...freezableKinds(this.#scene), ...counted.map((kind) => kindsIn(kind)[0])];
    const others = all.filter(
      (name) => name !== homeOf(scene) && (countsIn(rules, name) || asked.includes(kindOf(name))),
    );
    const named = hold?.others ?? [];
    const isSame = others.length === named.length && others.every((name) => named.includes(name));
    if (hold !== undefined && !isSame)
      throw new Broken(
        'held in other documents than its rules count in',
        `${scene.orderId}: ${named.join(' ')}, expected ${others.join(' ')}`,
      );
  }

  /** What home knows of its orders stays known as long as it must, and is decided once. */
  #compareMemory(name: string, now: Stored | undefined, about: Running | 'time'): void {
    const before = this.#before.get(name);
    for (const [order, scene] of this.#scene.orders.entries()) {
      if (homeOf(scene) !== name) continue;
      const mine = <Item extends Known>(all: readonly Item[]): readonly Item[] =>
        all.filter((one) => orderOf(this.#scene, one, name) === order);
      const holds = (stored: Stored | undefined): readonly StoredHold[] =>
        mine(holdsOf(stored)).filter(({ home }) => home === undefined);
      const [outcome, other] = mine(outcomesOf(now));
      const [hold] = holds(now);
      const [past] = mine(outcomesOf(before));
      const broken = (invariant: string): Broken =>
        new Broken(invariant, scene.orderId + ` at ${name}`);
      if (other !== undefined) throw broken('remembered twice');
      const taken = hold ?? outcome;
      if (about !== 'time' && taken !== undefined) this.#noteTaken(order, taken.nonce, about, hold);
      const wasOver = past !== undefined && past.state !== 'expired';
      if (wasOver && (outcome ?? hold) !== undefined && outcome?.nonce !== past.nonce)
        throw broken('ended, and not forgotten, and there again');
      const [wasHeld] = holds(before);
      const wasKnown = past ?? wasHeld;
      if ((outcome ?? hold) !== undefined || wasKnown === undefined) continue;
      if (now === undefined) {
        this.forgotten.add(order); // whether it may be deleted: see watch-deletion.ts
        continue;
      }
      const isAsked = about !== 'time' && this.#isAsked(about, order);
      if ((isAsked && this.#isAmongNewest(past, before)) || !this.#mayForget(past, before, now))
        throw broken('unknown at home, which had it');
      this.forgotten.add(order);
    }
  }

  /**
   * Whether a call asks home about an order: a record of one that the audit knows is not asked, nor a
   * settlement by the id alone of one that it does not know yet, or that may be another order's.
   */
  #isAsked(running: Running, order: number): boolean {
    const { call } = running;
    const { orderId } = orderIn(this.#scene, order);
    const isRecalled = call.do === 'record' && this.#recorded().has(orderId);
    const settlements = call.do === 'settlements' ? call.settlements : [];
    const byId = settlements.some((one) => one.order === order && one.by === 'recorded');
    const isKnown = this.#recordedBefore.get(running)?.has(orderId) === true;
    const isUnfound = byId && (!isKnown || twinsOf(this.#scene, order).length > 1);
    return askedIn(call).includes(order) && !isRecalled && !isUnfound;
  }

  /** Ids of the orders of which the audit has rows. */
  #recorded(): ReadonlySet<string> {
    const rows = rowsIn(this.#stage.documents).filter(({ effective }) => effective);
    return new Set(rows.map(({ orderId }) => orderId));
  }

  /**
   * Home forgets what is older than so many others of its kind: orders that ended, and holds that
   * expired. So nothing but time makes it forget the one for the other.
   *
   * @param past what is gone; undefined of a hold that expired just now
   */
  #mayForget(past: StoredOutcome | undefined, before: Stored | undefined, now: Stored | undefined) {
    const isExpired = past === undefined || past.state === 'expired';
    const ofKind = (stored: Stored | undefined): readonly string[] =>
      outcomesOf(stored)
        .filter(({ state }) => (state === 'expired') === isExpired)
        .map(({ nonce }) => nonce);
    const all = ofKind(before);
    const older = new Set(past === undefined ? all : all.slice(0, all.indexOf(past.nonce) + 1));
    const newer = ofKind(now).filter((nonce) => !older.has(nonce));
    return newer.length >= (this.#scene.outcomesMax ?? OUTCOMES_DEFAULT);
  }

  /** Whether home had no more outcomes of its kind after this one than it must remember. */
  #isAmongNewest(past: StoredOutcome | undefined, before: Stored | undefined): boolean {
    if (past === undefined) return true;
    const isExpired = past.state === 'expired';
    const ofKind = outcomesOf(before).filter(({ state }) => (state === 'expired') === isExpired);
    const place = ofKind.findIndex(({ nonce }) => nonce === past.nonce);
    return ofKind.length - place <= (this.#scene.outcomesMax ?? OUTCOMES_DEFAULT);
  }

  /** A share is there once. */
  #compareShares(name: string, now: Stored | undefined): void {
    const present = new Map(sharesIn(now).map((share) => [share.nonce, share]));
    const gone = this.#gone.get(name) ?? new Set();
    this.#gone.set(name, gone);
    for (const nonce of present.keys())
      if (gone.has(nonce)) throw new Broken('a share is there again', `${nonce} in ${name}`);
    for (const { nonce } of sharesIn(this.#before.get(name)))
      if (!present.has(nonce)) gone.add(nonce);
    for (const [nonce, { buckets }] of present) {
      const ends = buckets.map((bucket) => bucket.split(' '));
      const mine = ends.filter(([counter = '']) => this.#counters.has(counter));
      this.#ends.set(`${name} ${nonce}`, Math.max(...mine.map(untilOf)));
    }
  }

  /** What home holds, the others hold too. */
  #compareHolds(home: string): void {
    const isOpen = (name: string) => (hold: StoredHold) => hold.until > this.#stage.clockOf(name);
    for (const hold of holdsOf(this.#stage.documents.get(home)).filter(isOpen(home))) {
      if (hold.home !== undefined) continue;
      for (const name of hold.others ?? []) {
        const shares = holdsOf(this.#stage.documents.get(name)).filter(isOpen(name));
        const share = shares.find(({ nonce }) => nonce === hold.nonce);
        if (share === undefined)
          throw new Broken('home holds, and another document does not', `${hold.nonce} in ${name}`);
        if (share.amount !== hold.amount)
          throw new Broken('home holds another amount', `${hold.nonce} in ${name}`);
      }
    }
  }
}
