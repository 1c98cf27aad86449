/** Black-box cases about rules of several kinds of subjects in one check. */
import type { ModelRule } from '../model/model-types.ts';
import type { LimitCase } from './case.ts';
import { check, confirm, rollback } from './case.ts';

const WINDOW = { unit: 'day', timeZone: 'Asia/Shanghai' } as const;

const USER: ModelRule = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: WINDOW,
  max: { amount: 100 },
  mode: 'enforce',
};

const MERCHANT: ModelRule = {
  id: 'merchant-day',
  per: ['merchant'],
  currency: 'CNY',
  window: WINDOW,
  max: { amount: 150 },
  mode: 'enforce',
};

/** One counter for each merchant, in the document of the user. */
const PAIR: ModelRule = {
  id: 'pair-day',
  per: ['user', 'merchant'],
  currency: 'CNY',
  window: WINDOW,
  max: { amount: 40 },
  mode: 'enforce',
};

const ONE = { user: 'u-1', merchant: 'm-1' } as const;
const TWO = { user: 'u-2', merchant: 'm-1' } as const;

export const DOCUMENT_CASES: readonly LimitCase[] = [
  {
    id: 'documents-refused',
    title: 'What the merchant refuses leaves no trace at the user',
    rules: [USER, MERCHANT],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 100, subjects: ONE, capture: true },
        {
          kind: 'allowed',
          applying: ['user-day', 'merchant-day'],
          limitReached: true,
          rules: {
            'user-day': { used: { amount: 100, count: 1 }, outcome: 'reached' },
            'merchant-day': { used: { amount: 100, count: 1 }, outcome: 'within' },
          },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 60, subjects: TWO },
        { kind: 'refused', exceeded: ['merchant-day'] },
      ),
      confirm('2026-03-02T10:00:02+08:00', { orderId: 'B', subjects: TWO }, { kind: 'notFound' }),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'C', amount: 50, subjects: TWO },
        {
          kind: 'allowed',
          limitReached: true,
          rules: {
            'user-day': { held: { amount: 50, count: 1 }, remaining: { amount: 50 } },
            'merchant-day': {
              used: { amount: 100, count: 1 },
              held: { amount: 50, count: 1 },
              outcome: 'reached',
            },
          },
        },
      ),
    ],
    why: 'all documents or none',
  },
  {
    id: 'documents-user-refused',
    title: 'What the user refuses leaves no trace at the merchant',
    rules: [MERCHANT, USER],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 101, subjects: ONE },
        { kind: 'refused', exceeded: ['user-day'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 10, subjects: ONE },
        {
          kind: 'allowed',
          rules: {
            'user-day': { held: { amount: 10, count: 1 } },
            'merchant-day': { held: { amount: 10, count: 1 } },
          },
        },
      ),
    ],
    why: 'all documents or none, in the other order',
  },
  {
    id: 'documents-repeat',
    title: 'A repeated check over two documents holds once in each',
    rules: [USER, MERCHANT],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 30, subjects: ONE },
        { kind: 'allowed', repeated: false },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'A', amount: 30, subjects: ONE },
        {
          kind: 'allowed',
          repeated: true,
          state: 'held',
          rules: {
            'user-day': { held: { amount: 30, count: 1 } },
            'merchant-day': { held: { amount: 30, count: 1 } },
          },
        },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'A', amount: 30, subjects: { user: 'u-1', merchant: 'm-2' } },
        { kind: 'orderReused' },
      ),
    ],
    why: 'the merchant is content of the order',
  },
  {
    id: 'documents-confirm',
    title: 'Confirm and rollback reach every document, with the final amount',
    rules: [USER, MERCHANT],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 30, subjects: ONE },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 40, subjects: ONE },
        { kind: 'allowed' },
      ),
      confirm(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'A', amount: 20, subjects: ONE },
        { kind: 'confirmed', repeated: false, amount: 20, exceeded: [] },
      ),
      rollback(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'B', subjects: ONE },
        { kind: 'rolledBack', repeated: false },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'A', amount: 30, subjects: ONE },
        {
          kind: 'allowed',
          repeated: true,
          state: 'confirmed',
          rules: {
            'user-day': { used: { amount: 20, count: 1 }, held: { amount: 0, count: 0 } },
            'merchant-day': { used: { amount: 20, count: 1 }, held: { amount: 0, count: 0 } },
          },
        },
      ),
      rollback(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'A', subjects: ONE },
        { kind: 'alreadyConfirmed' },
      ),
      confirm(
        '2026-03-02T10:00:06+08:00',
        { orderId: 'B', subjects: ONE },
        { kind: 'alreadyRolledBack' },
      ),
    ],
    why: 'one order has one end, wherever it was held',
  },
  {
    id: 'documents-expiry',
    title: 'An expiry frees every document, and a late confirm counts in every one',
    rules: [USER, MERCHANT],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 80, subjects: ONE },
        { kind: 'allowed' },
      ),
      // Beside home a share outlives the hold at home by a second: the clocks of documents may differ.
      check(
        '2026-03-02T10:15:00.999+08:00',
        { orderId: 'B', amount: 90, subjects: TWO },
        { kind: 'refused', exceeded: ['merchant-day'] },
      ),
      check(
        '2026-03-02T10:15:01+08:00',
        { orderId: 'B', amount: 90, subjects: TWO },
        {
          kind: 'allowed',
          rules: {
            'merchant-day': { held: { amount: 90, count: 1 }, remaining: { amount: 60 } },
          },
        },
      ),
      confirm(
        '2026-03-02T10:16:00+08:00',
        { orderId: 'A', subjects: ONE },
        {
          kind: 'confirmed',
          late: true,
          amount: 80,
          exceeded: [{ rule: 'merchant-day', amount: 20 }],
        },
      ),
      check(
        '2026-03-02T10:17:00+08:00',
        { orderId: 'B', amount: 90, subjects: TWO },
        {
          kind: 'allowed',
          repeated: true,
          rules: {
            'user-day': { used: { amount: 0, count: 0 } },
            'merchant-day': { used: { amount: 80, count: 1 }, held: { amount: 90, count: 1 } },
          },
        },
      ),
    ],
    why: 'another user swept the hold of the first out of the document of the merchant',
  },
  {
    id: 'documents-merchant-only',
    title: 'A rule of the merchant applies to a check that no rule of the user applies to',
    onNoRule: 'allow',
    rules: [{ ...MERCHANT, max: { amount: 10 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 10, subjects: ONE },
        { kind: 'allowed', limitReached: true, applying: ['merchant-day'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, subjects: TWO },
        { kind: 'refused', exceeded: ['merchant-day'] },
      ),
      rollback(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'A', subjects: ONE },
        { kind: 'rolledBack' },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'B', amount: 1, subjects: TWO },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'C', amount: 1_000, subjects: { user: 'u-2' } },
        { kind: 'allowed', applying: [] },
      ),
    ],
    why: 'every kind in per must be among the subjects; the user is home all the same',
  },
  {
    id: 'documents-no-user',
    title: 'A check without a user has its home at the first kind by name',
    rules: [MERCHANT, { ...MERCHANT, id: 'card-day', per: ['card'], max: { amount: 30 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 30, subjects: { merchant: 'm-1', card: 'c-1' } },
        { kind: 'allowed', limitReached: true, applying: ['merchant-day', 'card-day'] },
      ),
      confirm(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'A', subjects: { card: 'c-1', merchant: 'm-1' } },
        { kind: 'confirmed', repeated: false },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'B', amount: 1, subjects: { merchant: 'm-1', card: 'c-1' } },
        { kind: 'refused', exceeded: ['card-day'] },
      ),
    ],
    why: 'the order in which subjects are written is not content',
  },
  {
    id: 'per-two-kinds',
    title: 'A rule per user and merchant counts each pair on its own',
    rules: [USER, PAIR],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 40, subjects: ONE },
        { kind: 'allowed', limitReached: true, applying: ['user-day', 'pair-day'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, subjects: ONE },
        { kind: 'refused', exceeded: ['pair-day'], headroom: { amount: 0 } },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 40, subjects: { user: 'u-1', merchant: 'm-2' } },
        {
          kind: 'allowed',
          rules: {
            'user-day': { held: { amount: 80, count: 2 } },
            'pair-day': { held: { amount: 40, count: 1 } },
          },
        },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'D', amount: 40, subjects: TWO },
        { kind: 'allowed', rules: { 'pair-day': { held: { amount: 40, count: 1 } } } },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'E', amount: 20, subjects: { user: 'u-1' } },
        { kind: 'allowed', applying: ['user-day'], limitReached: true },
      ),
    ],
    why: 'neither the merchant nor the user alone is the one that is counted',
  },
];
