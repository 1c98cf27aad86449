import { RightMissingError } from '../shared/caller-errors.ts';
import type { RightsSource } from './caller.ts';
import { statusSchema, statusAnswerJson } from '../audit/status-call.ts';
import { refundRequestOf, refundSchema } from '../audit/refunds/refund-request.ts';
import type { Limits } from '../limits/limits-types.ts';
import { nearAnswerJson, nearQueryOf, nearSchema } from '../near/near-call.ts';
import type { NearAnswer, NearQuery } from '../near/near.ts';
import { usageAnswerJson, usageRequestOf, usageSchema } from '../usage/usage-call.ts';
import { asInvoked } from './as-invoked.ts';
import { namesUsedTwice } from './check-request.ts';
import type { Run } from './handler.ts';
import { call } from './handler.ts';
import { confirmAnswerJson, refundAnswerJson, rollbackAnswerJson } from './order-answer.ts';
import { confirmSchema, notOnePlace, rollbackSchema, settlementOf } from './settle-request.ts';

/** The call `confirm`. */
export const confirmCall = (run: Limits['confirm']) =>
  call({
    ...{ name: 'confirm', needs: ['confirm'], run },
    ...{ takes: confirmSchema, between: notOnePlace, read: settlementOf },
    write: confirmAnswerJson,
    tell: ({ repeated, late }) => ({ outcome: 'confirmed', repeated, late }),
  });

/** The call `rollback`. */
export const rollbackCall = (run: Limits['rollback']) =>
  call({
    ...{ name: 'rollback', needs: ['rollback'], run },
    ...{ takes: rollbackSchema, between: notOnePlace, read: settlementOf },
    write: rollbackAnswerJson,
    tell: ({ repeated }) => ({ outcome: 'rolledBack', repeated }),
  });

/** The call `refund`. */
export const refundCall = (run: Limits['refund']) =>
  call({
    ...{ name: 'refund', needs: ['refund'], run },
    ...{ takes: refundSchema, between: notOnePlace, read: refundRequestOf },
    write: refundAnswerJson,
    tell: ({ repeated }) => ({ outcome: 'refunded', repeated }),
  });

/** The call `status`. */
export const statusCall = (run: Limits['status'], rightsOf: RightsSource) =>
  call({
    ...{ name: 'status', needs: ['status'], places: asInvoked },
    takes: statusSchema,
    read: ({ orderId, app, language = 'en' }, appId) => ({
      order: { appId: app ?? appId, orderId },
      language,
    }),
    run: async ({ order, language }, at, _requestId, { appId, envelope }) => {
      // The history tells of everybody's orders, too, and needs this right.
      if (order.appId !== appId && !(await rightsOf(envelope, appId)).includes('usage:read'))
        throw new RightMissingError(appId, 'usage:read');
      return { status: await run(order, at), language };
    },
    write: ({ status, language }) => statusAnswerJson(status, language),
    frame: ({ language }) => ({ headers: { 'content-language': language } }),
  });

/** The call `usage`. */
export const usageCall = (run: Limits['usage']) =>
  call({
    ...{ name: 'usage', needs: ['usage:read'], run, places: asInvoked },
    ...{ takes: usageSchema, between: namesUsedTwice, read: usageRequestOf },
    write: usageAnswerJson,
  });

/** The call `near`. */
export const nearCall = (run: Run<NearQuery, NearAnswer>) =>
  call({
    ...{ name: 'near', needs: ['usage:read'], run, places: asInvoked },
    ...{ takes: nearSchema, read: nearQueryOf },
    write: nearAnswerJson,
  });
