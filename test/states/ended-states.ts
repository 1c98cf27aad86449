import { AFTER_HOME, BEFORE_HOME } from './open-states.ts';
import type { OrderState, Sums } from './states.ts';

const USED: Sums = { used: 300, held: 0 };

/** States of orders that ended, or were to end at once, in the order of the page. */
export const ENDED_STATES = {
  confirmed: {
    says: 'The payment happened',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm' },
    ],
    standing: 'confirmed',
  },
  'confirmed, 2.00': {
    says: 'The payment happened, for less',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm 2.00' },
    ],
    standing: 'confirmed, 2.00',
  },
  'confirmed in two': {
    says: 'The payment happened, over two documents',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm' },
    ],
    standing: 'confirmed',
  },
  'confirmed late': {
    says: 'The payment happened after the hold expired',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'confirm' },
    ],
    standing: 'late',
  },
  'confirm cut': {
    says: 'The caller of the confirm died before it reached the second document',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
    ],
    standing: 'confirmed at home',
  },
  'confirm cut, share over': {
    says: 'The caller of the confirm died so, and the share has expired',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
    ],
    standing: 'confirmed at home, share over',
  },
  'confirm cut, share swept': {
    says: 'The caller of the confirm died so, and another check moved the share into the memory',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
      { minute: 16, do: 'sweep merchant' },
    ],
    standing: 'confirmed at home, share over',
  },
  'late confirm cut': {
    says: 'The caller of a late confirm died before it reached the second document',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'confirm', diesAfter: 1 },
    ],
    standing: 'late at home',
  },
  captured: {
    says: 'The check counted at once',
    documents: 1,
    past: [{ minute: 10, do: 'capture' }],
    standing: 'confirmed',
    captures: true,
  },
  'captured in two': {
    says: 'The check counted at once, over two documents',
    documents: 2,
    past: [{ minute: 10, do: 'capture' }],
    standing: 'confirmed',
    captures: true,
  },
  'capture cut before home': {
    says: 'A check with `capture`: its caller died before it asked home',
    documents: 2,
    past: [{ minute: 10, do: 'capture', diesAfter: BEFORE_HOME }],
    standing: 'unknown',
    captures: true,
    left: 300,
  },
  'capture cut after home': {
    says: 'A check with `capture`: its caller died after home had counted it',
    documents: 2,
    past: [{ minute: 10, do: 'capture', diesAfter: AFTER_HOME }],
    standing: 'confirmed at home',
    captures: true,
  },
  recorded: {
    says: 'It was recorded without a check',
    documents: 1,
    past: [{ minute: 10, do: 'record' }],
    standing: 'recorded',
  },
  'recorded in two': {
    says: 'It was recorded without a check, over two documents',
    documents: 2,
    past: [{ minute: 10, do: 'record' }],
    standing: 'recorded',
  },
  'rolled back': {
    says: 'The payment did not happen',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  'rolled back, expired': {
    says: 'The payment did not happen; the rollback came after the hold expired',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  'rollback cut': {
    says: 'The caller of the rollback died before it reached the second document',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'rollback', diesAfter: 1 },
    ],
    standing: 'rolled back at home',
  },
  'held again, rolled back': {
    says: 'The first hold expired, and the second was rolled back',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'check' },
      { minute: 17, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  forgotten: {
    says: 'It was confirmed, and so many others ended since that the document forgot it',
    documents: 1,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm' },
      { minute: 12, do: 'forget' },
    ],
    standing: 'forgotten',
    beside: { user: USED },
  },
  'confirm cut, forgotten': {
    says: 'The caller of the confirm died before it reached the second document, and home forgot it since',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
      { minute: 12, do: 'forget' },
    ],
    standing: 'forgotten',
    beside: { user: USED },
    left: 300,
  },
} as const satisfies Readonly<Record<string, OrderState>>;
