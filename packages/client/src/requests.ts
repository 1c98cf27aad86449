import type { ReportScope } from './answers.ts';
import type { Attributes, ConfirmRequest, Subjects } from './api.ts';
import type { CheckRequest as AnyCheckRequest } from './api.ts';

/** What rules may match; text "1", number 1 and true are three values. Numbers are whole. */
export type AttributeValue = Attributes[string];

/** What `check` takes. */
export type CheckRequest = Omit<AnyCheckRequest, 'report'>;

/** A check that says how much of rules it is told. */
export interface ReportedCheckRequest<
  Report extends ReportScope = ReportScope,
> extends CheckRequest {
  /** `all` where nothing is said. */
  readonly report?: Report | undefined;
}

/** Where an order's shares are: by `reservation` or by `subjects`, at most one of the two. */
export type Whereabouts = Pick<ConfirmRequest, 'orderId' | 'reservation' | 'subjects'>;

/** What `status` takes. */
export type StatusRequest = {
  readonly orderId: string;
  /** Of sentences, as `Accept-Language` says it: `zh`. */
  readonly language?: string | undefined;
};

/** What `usage` takes. `type` and `attributes` choose among maxima by attribute, and nothing else. */
export type UsageRequest = {
  readonly subjects: Subjects;
  readonly type?: string | undefined;
  readonly attributes?: Attributes | undefined;
  /** How far behind the answer may be, `PT1S` to `PT1H`; not at all where nothing is said. */
  readonly stale?: string | undefined;
};
