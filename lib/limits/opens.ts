import { COUNTING_SHARES_MAX } from '../shared/open-bounds.ts';
import type { Opens } from './decision.ts';
import type { DocumentView } from './document/document.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Context } from './context.ts';

type Asked = Pick<CheckRequest, 'capture'>;

/** What a check opens in a document that is its home, or that is not. */
export function opensIn(
  context: Context,
  view: DocumentView,
  request: Asked,
  isBeside: boolean,
): Opens {
  if (request.capture && !isBeside) return undefined;
  const most = openMaxOf(context, request, isBeside);
  return { now: isBeside ? view.openShares : view.openHolds, most };
}

/** How many holds may be open in a document with that of a check, as `opensIn` counts them. */
export function openMaxOf(
  { openHoldsMax, openSharesMax }: Context,
  { capture }: Asked,
  isBeside: boolean,
): number {
  if (!isBeside) return openHoldsMax;
  return openSharesMax + (capture ? COUNTING_SHARES_MAX : 0);
}
