/** A black-box case is data that runs against the model, and against the service on a database. */
import type {
  ModelBound,
  ModelCheck,
  ModelCheckAnswer,
  ModelConfirm,
  ModelConfirmAnswer,
  ModelDecision,
  ModelDecisionAnswer,
  ModelExcess,
  ModelNoRule,
  ModelPart,
  ModelRecord,
  ModelRecordAnswer,
  ModelRollback,
  ModelRollbackAnswer,
  ModelRule,
  ModelRuleAnswer,
  ModelTerms,
} from '../model/model-types.ts';

/** What is expected of one rule in the answer; what is left out is not looked at. */
export type ExpectedRule = {
  readonly used?: ModelBound;
  readonly held?: ModelBound;
  readonly remaining?: ModelBound;
  readonly outcome?: ModelRuleAnswer['outcome'];
  /** RFC 3339; null is never. */
  readonly retryAt?: string | null;
};

/** The part of an answer to check that a case speaks about. Instants are RFC 3339. */
export type ExpectedCheck = {
  readonly kind: ModelCheckAnswer['kind'];
  readonly reason?: Extract<ModelCheckAnswer, { readonly kind: 'refused' }>['reason'];
  /** Which review of the order it waits for, or passes by. */
  readonly review?: number;
  readonly approval?: number;
  readonly challenges?: readonly string[];
  /** Of an order that lacks required names: which ones. */
  readonly missing?: readonly string[];
  readonly repeated?: boolean;
  readonly state?: 'held' | 'confirmed';
  readonly holdExpiresAt?: string;
  /** The part that it has got, and the rules that left no more. */
  readonly part?: Partial<ModelPart>;
  readonly limitReached?: boolean;
  readonly limitReachedBy?: readonly string[];
  readonly notified?: readonly ModelExcess[];
  /** The enforced rules that the ask does not fit, all of them, in the order of the rules. */
  readonly exceeded?: readonly string[];
  /** The ids of all applying rules, in the order of the rules. */
  readonly applying?: readonly string[];
  readonly rules?: Readonly<Record<string, ExpectedRule>>;
  readonly headroom?: {
    readonly amount?: number | null;
    readonly amountBy?: readonly string[];
    readonly earliestAt?: string | null;
    readonly earliestBy?: readonly string[];
  };
};

export type ExpectedConfirm = {
  readonly kind: ModelConfirmAnswer['kind'];
  readonly repeated?: boolean;
  readonly late?: boolean;
  readonly amount?: number;
  readonly exceeded?: readonly ModelExcess[];
};

export type ExpectedRollback = {
  readonly kind: ModelRollbackAnswer['kind'];
  readonly repeated?: boolean;
};

export type ExpectedRecord = {
  readonly kind: ModelRecordAnswer['kind'];
  readonly repeated?: boolean;
  readonly counted?: readonly string[];
  readonly over?: readonly string[];
  readonly exceeded?: readonly ModelExcess[];
};

export type ExpectedDecision = Pick<ModelDecisionAnswer, 'kind'>;

export type ExpectedAnswer =
  | ExpectedCheck
  | ExpectedConfirm
  | ExpectedRollback
  | ExpectedRecord
  | ExpectedDecision;

/** One step of a case. `rules` replaces the rule set, `terms` those of a subject, as an operator would. */
export type CaseStep =
  | {
      readonly at: string;
      readonly do: 'check';
      readonly request: ModelCheck;
      readonly expect: ExpectedCheck;
    }
  | {
      readonly at: string;
      readonly do: 'confirm';
      readonly request: ModelConfirm;
      readonly expect: ExpectedConfirm;
    }
  | {
      readonly at: string;
      readonly do: 'rollback';
      readonly request: ModelRollback;
      readonly expect: ExpectedRollback;
    }
  | {
      readonly at: string;
      readonly do: 'record';
      readonly request: ModelRecord;
      readonly expect: ExpectedRecord;
    }
  | {
      readonly at: string;
      readonly do: 'decide';
      readonly request: ModelDecision;
      readonly expect: ExpectedDecision;
    }
  | { readonly at: string; readonly do: 'rules'; readonly rules: readonly ModelRule[] }
  | {
      readonly at: string;
      readonly do: 'terms';
      readonly subject: readonly [kind: string, id: string];
      readonly terms: ModelTerms;
    };

/**
 * One black-box case. The instants of its steps never go back. `openHoldsMax` and `openSharesMax` are
 * set where the case is about these bounds; otherwise the service's own settings do. `onNoRule` is set where orders
 * that no rule applies to are to pass, or those whose amount none limits are refused, too.
 */
export type LimitCase = {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly ModelRule[];
  readonly openHoldsMax?: number;
  readonly openSharesMax?: number;
  readonly onNoRule?: Exclude<ModelNoRule, 'refuse'>;
  readonly steps: readonly CaseStep[];
  readonly why: string;
};

/** The usual limit of a case, a user's day; a case says what differs. */
export const USER_DAY: ModelRule = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 100 },
  mode: 'enforce',
};

/**
 * What the same step must answer when it is sent a second time at the same instant: an allowed
 * check, a confirm, a rollback and a record say that they are repeated, and no number moves. Nobody keeps the rules
 * that left no more. A refusal and an error are simply said again.
 */
export function expectedWhenRepeated(expected: ExpectedAnswer): ExpectedAnswer {
  if (expected.kind === 'decided') return { kind: 'closed' };
  const { kind } = expected;
  if (kind === 'confirmed' || kind === 'rolledBack' || kind === 'recorded')
    return { ...expected, repeated: true };
  if (kind !== 'allowed') return expected;
  // The approval is told once.
  const { approval: _, part: got, ...rest } = expected;
  if (got === undefined) return { ...rest, repeated: true };
  const { amountBy: __, ...part } = got;
  return { ...rest, part, repeated: true };
}
