/** What must be true of subjects' terms: changes come one after the other, each made for those before it. */
import { HeadroomError } from '../../lib/shared/errors.ts';
import { Broken } from './broken.ts';
import type { Running } from './moves.ts';
import { countsIn } from './scene-rules.ts';
import type { SceneWish } from './scene.ts';
import { allDocuments } from './scene.ts';
import type { Stage } from './stage.ts';
import type { StoredTerms } from './stored.ts';
import { termsOf } from './stored.ts';
import { kindOf } from './watch-documents.ts';

/** Compares the terms of documents with what they were a step before, and with what support was told. */
export class TermsWatch {
  readonly #stage: Stage;
  readonly #names: readonly string[];
  readonly #before = new Map<string, StoredTerms | undefined>();
  /** Versions that were ever in force. */
  readonly #seen = new Set<string>();
  /** By document: the last move after which its subject had none. */
  readonly #noneAt = new Map<string, number>();
  /** Calls that met, at some moment, nothing that they could take away. */
  readonly #metNothing = new Set<Running>();

  constructor(stage: Stage) {
    this.#stage = stage;
    // A subject may have terms that no order has.
    const given = stage.scene.calls.flatMap((call) => (call.do === 'terms' ? call.document : []));
    this.#names = [...new Set([...allDocuments(stage.scene), ...given])];
  }

  look(about: Running | 'time'): void {
    for (const name of this.#names) {
      const terms = termsOf(this.#stage.documents.get(name));
      const before = this.#before.get(name);
      if (terms?.version !== before?.version) this.#compare(name, before, terms, about);
      this.#before.set(name, terms);
      if (terms === undefined) this.#noneAt.set(name, this.#stage.moves);
      else this.#seen.add(terms.version);
    }
    for (const running of this.#stage.calls.values()) this.#noteNothing(running);
    for (const heard of this.#stage.termsHeard.splice(0)) this.#hear(heard);
  }

  #compare(
    name: string,
    before: StoredTerms | undefined,
    after: StoredTerms | undefined,
    about: Running | 'time',
  ): void {
    if (about === 'time') return; // the document is gone, as may be or not: see watch-deletion.ts
    const { call } = about;
    const { termsAsked } = this.#stage;
    if (call.do !== 'terms' || call.document !== name)
      throw new Broken('terms changed by another call', `${call.name} in ${name}`);
    const isMeant =
      after === undefined
        ? [...termsAsked.values()].includes(before?.version)
        : termsAsked.get(after.version) === before?.version;
    if (!isMeant)
      throw new Broken(
        'terms changed that nobody has seen',
        `${before?.version ?? 'none'} to ${after?.version ?? 'none'} in ${name}`,
      );
  }

  #noteNothing(running: Running): void {
    const { call } = running;
    if (call.do !== 'terms' || running.state === 'dead' || this.#metNothing.has(running)) return;
    const terms = this.#before.get(call.document);
    if (isNothingFor(call.wish, kindOf(call.document), terms)) this.#metNothing.add(running);
  }

  #hear({ running, document, ...told }: Stage['termsHeard'][number]): void {
    const broken = (invariant: string, why: string): Broken =>
      new Broken(invariant, `${running.call.name} of ${document}: ${why}`);
    const { call, rules } = running;
    const isOverride = call.do === 'terms' && call.wish.kind === 'override';
    const isOfNoRule = isOverride && !countsIn(rules, document);
    if (told.kind === 'changed') {
      const { version } = told;
      if (isOfNoRule) throw broken('a maximum of a rule that is not there', version ?? 'none');
      const wasSo =
        version === undefined
          ? (this.#noneAt.get(document) ?? -1) >= running.startedAt
          : this.#seen.has(version);
      if (!wasSo) throw broken('terms that were never in force', version ?? 'none');
      return;
    }
    const { error } = told;
    const code = error instanceof HeadroomError ? error.code : 'error';
    const isTrue =
      (code === 'UNDECIDED' && running.isTouched) ||
      (code === 'NO_SUCH_TERMS' && this.#metNothing.has(running)) ||
      (code === 'TERMS_REFUSED' && (isOfNoRule || this.#stage.now !== running.startedNow));
    if (!isTrue) throw broken('terms not changed, though nothing was in the way', String(error));
  }
}

function isNothingFor(wish: SceneWish, rule: string, terms: StoredTerms | undefined): boolean {
  switch (wish.kind) {
    case 'unfreeze':
      return terms?.freeze === undefined;
    case 'endOverride':
      return terms?.overrides?.some((one) => one.rule === rule) !== true;
    case 'freeze':
    case 'override':
      return false;
  }
}
