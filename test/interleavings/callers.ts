/** The processes that make a story's calls: each of their statements is a step. */
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import type { AuditRow } from '../../lib/audit/audit.ts';
import type { LimitsOptions } from '../../lib/edge/limits.ts';
import { createLimits } from '../../lib/edge/limits.ts';
import type { OneCommit } from '../../lib/audit/one-commit.ts';
import { refundsOver } from '../../lib/audit/refunds/refund-store.ts';
import type { CounterStore, Lanes } from '../../lib/document/counter-store.ts';
import type { Statements } from '../../lib/document/statements.ts';
import { learningLanes } from '../../lib/document/statements.ts';
import { countersOver } from '../../lib/document/counters.ts';
import type { Documents } from '../support/mingo-store.ts';
import { mingoStatements } from '../support/mingo-store.ts';
import { Chance } from './chance.ts';
import { AUDIT, appendTo, auditOver, ledgersAmong } from './memory-audit.ts';
import type { Stores } from './memory-commit.ts';
import { commitOver } from './memory-commit.ts';
import type { Mistake } from './planting.ts';
import type { Caller, Effect, Issue, Step } from './moves.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import type { SceneRules } from './scene-rules.ts';
import type { Scene } from './scene.ts';
import { freezableKinds } from './scene.ts';
import { issuedBy } from './statement-steps.ts';
import { termsBookOver } from './support-terms.ts';

/** What callers see of the stage on which they play. */
type Around = {
  readonly scene: Scene;
  readonly documents: Documents;
  readonly ruleSets: readonly SceneRules[];
  readonly steps: Step[];
  readonly now: number;
  readonly clockOf: (document: string) => Date;
  readonly termsAsked: Map<string, string | undefined>;
  readonly lostRows: Set<string>;
};

export class Callers {
  readonly #stage: Around;
  readonly #mistake: Mistake | undefined;
  readonly #all: Caller[] = [];
  #nonces = 0;
  #versions = 0;

  constructor(stage: Around, mistake: Mistake | undefined) {
    this.#stage = stage;
    this.#mistake = mistake;
  }

  /** One that makes no call, and does what it does in several documents in one commit, or by steps. */
  idle(isOneCommit: boolean): Caller {
    const idle = this.#all.find(
      (one) => !one.isDead && one.call?.state !== 'running' && one.isOneCommit === isOneCommit,
    );
    if (idle !== undefined) return idle;
    const { scene, termsAsked } = this.#stage;
    const caller: Process = { isOneCommit, call: undefined, isDead: false };
    const isSkewed = this.#all.length % 2 === 0;
    const issue: Issue = (name, document, isWrite, effect) =>
      this.#issue(caller, name, document, isWrite, effect);
    const { counters, commit } = this.#stores(issue, caller);
    const machineNow = (): Date => new Date(this.#stage.now + (isSkewed ? scene.aheadMs : 0));
    const rules = (): Promise<readonly Rule[]> => Promise.resolve(this.#rulesOf(caller));
    const limits = createLimits({
      ...{ counters, rules },
      machineNow,
      nonce: () => this.#mistake?.nonce?.(caller.call) ?? this.#nextNonce(caller),
      onUndecided: scene.onUndecided,
      onNoRule: 'allow', // a sweep is such an order
      inOneCommit: isOneCommit,
      askedKinds: freezableKinds(scene),
      ...(scene.openMax === undefined
        ? {}
        : { openHoldsMax: scene.openMax.holds, openSharesMax: scene.openMax.shares }),
      ...this.#audited(issue, commit),
    });
    const terms = termsBookOver({
      ...{ counters, machineNow, asked: termsAsked },
      serverNow: (document) => this.#stage.clockOf(document),
      version: () => `v-${(this.#versions += 1)}`,
      ...{ rules, kinds: freezableKinds(scene) },
    });
    const whole = Object.assign(caller, { limits, terms });
    this.#all.push(whole);
    return whole;
  }

  #rulesOf({ call }: Process): readonly Rule[] {
    const [first] = this.#stage.ruleSets;
    if (call === undefined || first === undefined) return [];
    return (this.#mistake?.rules?.(call.rules, first) ?? call.rules).all;
  }

  /** By its first letter one nonce in three, and that of every sweep, makes its add look for what is over. */
  #nextNonce({ call }: Process): string {
    this.#nonces += 1;
    const tidies = call?.call.do === 'sweep' || this.#nonces % 3 === 0;
    return `${tidies ? 'h' : 'n'}-${this.#nonces}`;
  }

  #audited(issue: Issue, commit: OneCommit): Pick<LimitsOptions, 'audit'> {
    const { documents, scene, lostRows } = this.#stage;
    if (scene.audit === undefined) return {};
    const store = auditOver(documents, issue, () => this.#stage.clockOf(''));
    const audit = {
      store: this.#mistake?.audit?.(store) ?? store,
      refunds: commit,
      onLost: (_: unknown, rows: readonly AuditRow[]): void => {
        for (const { id } of rows) lostRows.add(id);
      },
    };
    return { audit: scene.audit === 'session' ? { ...audit, oneCommit: commit } : audit };
  }

  #stores(
    issue: Issue,
    caller: Process,
  ): { readonly counters: CounterStore; readonly commit: OneCommit } {
    const clock = (document: string): Date => this.#stage.clockOf(document);
    const lanes = lanesOf(this.#stage.scene, this.#all.length);
    const storeOver = (
      statements: Statements,
      isOneCommit: boolean,
      together: CounterStore['together'],
    ): CounterStore => {
      const { outcomesMax = OUTCOMES_DEFAULT } = this.#stage.scene;
      const sent = this.#mistake?.statements?.(statements) ?? statements;
      return countersOver(sent, { outcomesMax, lanes, isOneCommit, together });
    };
    const storesOf: Stores = (statements, own, inCommit) => {
      const inner: CounterStore = storeOver(statements, true, (work) => work(inner));
      const refunds = refundsOver(ledgersAmong(statements), statements);
      return {
        counters: inner,
        refunds: this.#mistake?.refunds?.(refunds) ?? refunds,
        append: async (rows) => {
          await inCommit('append', AUDIT, false, () => {
            appendTo(own, rows);
            return Promise.resolve();
          });
        },
      };
    };
    const { documents } = this.#stage;
    const commit = commitOver(documents, clock, issue, storesOf, this.#mistake?.isBlind);
    const statements = issuedBy(issue, mingoStatements(documents, clock));
    const together: CounterStore['together'] = (work) => commit(({ counters }) => work(counters));
    const counters = storeOver(statements, false, together);
    const rules = () => caller.call?.rules;
    const planted = this.#mistake?.counters?.(counters, documents, rules);
    return { counters: planted ?? counters, commit };
  }

  #issue(
    caller: Process,
    name: string,
    document: string,
    isWrite: boolean,
    effect: Effect,
  ): Promise<unknown> {
    const { call, isDead } = caller;
    if (isDead || call === undefined) return new Promise(() => undefined);
    const planted = this.#mistake?.effect;
    const done = isWrite && planted ? planted(this.#stage.documents, document, effect) : effect;
    if (name === 'begin') call.beganAt = this.#stage.now;
    return new Promise((answer, fail) => {
      this.#stage.steps.push({ call, name, document, isWrite, effect: done, answer, fail });
    });
  }
}

/** A process before it has everything that it calls. */
type Process = Omit<Caller, 'limits' | 'terms'>;

function lanesOf({ lanes }: Scene, caller: number): Lanes {
  if (lanes === 'learning') return learningLanes();
  const chance = typeof lanes === 'number' ? new Chance(lanes + caller) : undefined;
  return {
    takesPlain: () => chance?.isLucky(50) ?? lanes === 'plain',
    learn: () => undefined,
    note: () => undefined,
  };
}
