import type { ReportScope } from './answers.ts';
import type { CheckRequest as AnyCheckRequest, ConfirmRequest } from './api.ts';

/** The request of `check`. */
export type CheckRequest = Omit<AnyCheckRequest, 'report'>;

/** A check that asks for a part of the report. */
export interface ReportedCheckRequest<
  Report extends ReportScope = ReportScope,
> extends CheckRequest {
  /** Default: `all`. */
  readonly report?: Report | undefined;
}

/** Where an order's shares are: by `reservation` or by `subjects`, at most one of the two. */
export type Whereabouts = Pick<ConfirmRequest, 'orderId' | 'reservation' | 'subjects'>;
