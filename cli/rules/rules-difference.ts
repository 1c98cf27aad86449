import type { RuleChange } from '../../lib/changes/rule-change.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { digitsIn, storedMoneyText } from '../../lib/rule-book/amount-warnings.ts';
import { fieldChanges, isObject } from '../../lib/changes/field-changes.ts';
import { changeSentence } from '../../lib/rule-book/rules-answer.ts';

/** Says what becomes of one rule: a line for it, one for each field, and what it means for its counter. */
export function changeLines(change: RuleChange): readonly string[] {
  return toldLines({ ...change, says: changeSentence(change) });
}

/** The subjects whose own maxima a change concerns, a line each. */
export function ownerLines({ owners }: RuleChange): readonly string[] {
  return (owners?.documents ?? []).map((document) => `    ${document}`);
}

/** The lines of a change, with what it means for the sum of the rule. */
export function toldLines({
  id,
  kind,
  before,
  after,
  says,
}: Pick<RuleChange, 'id' | 'kind' | 'before' | 'after'> & {
  readonly says: string;
}): readonly string[] {
  const fields = fieldChanges(before ?? { id }, after ?? { id });
  const lines = fields.map((field) => {
    const was = valueText(field.path, field.before, before);
    const is = valueText(field.path, field.after, after);
    if (field.before === undefined) return `${field.path}: ${is}`;
    return field.after === undefined
      ? `${field.path}: ${was} → nothing`
      : `${field.path}: ${was} → ${is}`;
  });
  const shown = kind === 'deleted' ? [] : lines;
  return [`${id}: ${kind}`, ...[...shown, says].map((line) => `  ${line}`)];
}

function valueText(path: string, value: unknown, rule: StoredRule | undefined): string {
  if (value === undefined) return 'nothing';
  const currency = rule?.currency;
  const isAmount = /^(max|min)\.amount(\.|$)/.test(path);
  if (isAmount && typeof value === 'number' && typeof currency === 'string')
    return storedMoneyText(value, currency, digitsIn(rule));
  if (/^(max|min)$/.test(path) && isObject(value))
    return Object.entries(value)
      .map(([name, each]) => `${name} ${valueText(`${path}.${name}`, each, rule)}`)
      .join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
