import type { Refusal } from './refusal.ts';
import type { Quantity } from '../rule/own-terms.ts';
import type { Language } from '../shared/language.ts';
import { refusalSentence } from './sentences/refusal-sentence.ts';
import { overrideJson, quantityJson } from './standing-answer.ts';
import { windowAnswer } from '../rule/windows/windows.ts';

/** Writes how a rule stood that refused an order, in figures and in a sentence. */
export function refusalJson(refusal: Refusal, asked: Quantity, language: Language) {
  const { rule, version, outcome, currency, window, period } = refusal;
  const { min, max, used, held, override } = refusal;
  return {
    rule,
    sentence: refusalSentence(refusal, asked, language),
    outcome,
    window: windowAnswer(window, period),
    max: quantityJson(max),
    version,
    currency,
    min: min && quantityJson(min),
    used: used && quantityJson(used),
    held: held && quantityJson(held),
    override: override && overrideJson(override),
  };
}
