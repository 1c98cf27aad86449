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
    says: 'The payment happened after its hold was over',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'confirm' },
    ],
    standing: 'late',
  },
  'confirm cut': {
    says: 'Whoever confirmed it died before the second document was told',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
    ],
    standing: 'confirmed at home',
  },
  'confirm cut, share over': {
    says: 'The same, and the time of its share is over',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
    ],
    standing: 'confirmed at home, share over',
  },
  'confirm cut, share swept': {
    says: 'The same, and another check moved the share into the memory',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 11, do: 'confirm', diesAfter: 1 },
      { minute: 16, do: 'sweep merchant' },
    ],
    standing: 'confirmed at home, share over',
  },
  'late confirm cut': {
    says: 'Whoever confirmed it after its holds were over died before the second document was told',
    documents: 2,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'confirm', diesAfter: 1 },
    ],
    standing: 'late at home',
  },
  captured: {
    says: 'Its check counted at once',
    documents: 1,
    past: [{ minute: 10, do: 'capture' }],
    standing: 'confirmed',
    captures: true,
  },
  'captured in two': {
    says: 'The same over two documents',
    documents: 2,
    past: [{ minute: 10, do: 'capture' }],
    standing: 'confirmed',
    captures: true,
  },
  'capture cut before home': {
    says: 'Its check was to count at once, and its caller died before home was asked',
    documents: 2,
    past: [{ minute: 10, do: 'capture', diesAfter: BEFORE_HOME }],
    standing: 'unknown',
    captures: true,
    left: 300,
  },
  'capture cut after home': {
    says: 'The same, when home had counted it',
    documents: 2,
    past: [{ minute: 10, do: 'capture', diesAfter: AFTER_HOME }],
    standing: 'confirmed at home',
    captures: true,
  },
  recorded: {
    says: 'It was never checked, and recorded once it had happened',
    documents: 1,
    past: [{ minute: 10, do: 'record' }],
    standing: 'recorded',
  },
  'recorded in two': {
    says: 'The same over two documents',
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
    says: 'The payment did not happen, as was said after its hold was over',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  'rollback cut': {
    says: 'Whoever rolled it back died before the second document was told',
    documents: 2,
    past: [
      { minute: 10, do: 'check' },
      { minute: 11, do: 'rollback', diesAfter: 1 },
    ],
    standing: 'rolled back at home',
  },
  'held again, rolled back': {
    says: 'Its first hold expired, and its second was given back',
    documents: 1,
    past: [
      { minute: 0, do: 'check' },
      { minute: 16, do: 'check' },
      { minute: 17, do: 'rollback' },
    ],
    standing: 'rolled back',
  },
  forgotten: {
    says: 'It was confirmed, and as many others ended since as a document remembers',
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
    says: 'Whoever confirmed it died before the second document was told, and home forgot it since',
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
