import type { Rule, StoredRule } from '@headroom-limits/client';
import type { Document } from 'yaml';
import { isMap, parseDocument, stringify, visit } from 'yaml';
import { readRule } from '../../../../../lib/rule-file/rule-reading.ts';
import type { Rule as ReadRule } from '../../../../../lib/rule/rule.ts';
import { digitsOf } from '../../../../../lib/shared/currency.ts';
import type { Mistake } from '../../../../../lib/shared/errors.ts';
import { localZone, majorOf, minorOf } from '../../ui/written.ts';

/** Fields of JSON, by their names. */
type Fields = Readonly<Record<string, unknown>>;

/** A rule as its form has it: fields for what most changes are about, and YAML for all else. */
export type RuleDraft = {
  readonly id: string;
  readonly titleEn: string;
  readonly titleZh: string;
  /** In major units. NaN in an empty field, as for all numbers. */
  readonly amount: number;
  readonly count: number;
  readonly mode: NonNullable<Rule['mode']>;
  readonly from: string;
  readonly to: string;
  /** Every other field of the rule, as YAML. */
  readonly rest: string;
  readonly reason: string;
  readonly beginAnew: boolean;
};

/** What the fields of the form stand for. */
export const FIELDS = {
  id: ['id'],
  titleEn: ['title', 'en'],
  titleZh: ['title', 'zh'],
  amount: ['max', 'amount'],
  count: ['max', 'count'],
  mode: ['mode'],
  from: ['from'],
  to: ['to'],
} as const satisfies Partial<Record<keyof RuleDraft, readonly string[]>>;

/** A new rule begins as a draft, which counts nothing. */
const NEW: StoredRule = {
  id: '',
  per: ['user'],
  currency: 'CNY',
  mode: 'draft',
  window: { unit: 'day', timeZone: localZone() },
};

/** How often the YAML may repeat parts by reference; a rule file may as often. */
const ALIASES_MAX = 100;

/** A rule's form. A maximum by attribute, and titles in other languages, are left to the YAML. */
export function draftOf(given: StoredRule | undefined): RuleDraft {
  const { id, title, mode = 'enforce', from = '', to = '', max = {}, ...others } = given ?? NEW;
  const { en, zh, ...titles }: Fields = typeof title === 'string' ? { en: title } : (title ?? {});
  const scale = scaleOf(others);
  const plain = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);
  const { amount, count, ...otherMax } = max;
  const rest = {
    title: filled(titles),
    ...others,
    max: filled({ ...otherMax, amount: objectIn(amount), count: objectIn(count) }),
  };
  return {
    id,
    titleEn: textOf(en),
    titleZh: textOf(zh),
    amount: majorOf(plain(amount), scale),
    count: plain(count),
    mode,
    from,
    to,
    rest: stringify(filled(rest), { lineWidth: 0 }),
    reason: '',
    beginAnew: false,
  };
}

/** A draft that was read. */
export type DraftReading = {
  readonly document: Document;
  /** The fields of the YAML, as far as it can be read. */
  readonly rest: Fields;
  /** As it is sent; undefined where the YAML is none. */
  readonly rule?: Rule;
  /** Undefined where something is wrong with it. */
  readonly read?: ReadRule;
  readonly mistakes: readonly (Mistake & { readonly at?: readonly [from: number, to: number] })[];
};

/** What the form itself says of mistakes. */
type SayMistake = (mistake: 'noFields' | 'ownField' | 'twoMaxima' | 'badAlias') => string;

/** Reads a draft as the server reads a rule: what is wrong is known while somebody types. */
export function readDraft(
  draft: RuleDraft,
  stored: StoredRule | undefined,
  say: SayMistake,
): DraftReading {
  const document = parseDocument(draft.rest, { schema: 'core', prettyErrors: false });
  const fields = plainOf(document);
  const rest = fields ?? {};
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const { message: expected, pos } = problem;
    return { document, rest, mistakes: [{ path: '', expected, at: pos }] };
  }
  if (fields === undefined) {
    const at = isMap(document.contents) ? aliasIn(document) : undefined;
    const expected = at === undefined ? say('noFields') : say('badAlias');
    return { document, rest, mistakes: [{ path: '', expected, at: at ?? [0, 0] }] };
  }
  const rule = ruleIn(draft, rest, stored);
  const wrong = [...misplacedIn(draft, rest, say)];
  const { rule: read, mistakes } = readRule({ ...rule, id: draft.id }, ['rule']);
  wrong.push(...mistakes);
  return { document, rest, rule, mistakes: wrong, ...(read && wrong.length === 0 ? { read } : {}) };
}

/** The digits of the amounts in a draft; as in ISO 4217 while its YAML is none. */
export function scaleOf({ currency, digits }: Fields): number {
  return digitsOf(textOf(currency), typeof digits === 'number' ? digits : undefined);
}

/** The fields of the YAML; undefined where it has none, or repeats what cannot be repeated. */
function plainOf(document: Document): Fields | undefined {
  if (document.contents === null) return {};
  if (!isMap(document.contents) || aliasIn(document, true) !== undefined) return undefined;
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX }) as Fields; // a map
  } catch {
    return undefined;
  }
}

/** Where the first part is repeated; or else, the first that stands nowhere, or that has the repetition inside. */
function aliasIn(document: Document, isWrong = false): [from: number, to: number] | undefined {
  let found: [number, number] | undefined;
  visit(document, {
    Alias(_, alias, path) {
      const meant = alias.resolve(document);
      if (isWrong && meant !== undefined && !path.includes(meant)) return undefined;
      const [from, to] = alias.range ?? [0, 0];
      found = [from, to];
      return visit.BREAK;
    },
  });
  return found;
}

/** Where the YAML says what a field of the form says: a maximum by attribute only where its field is empty. */
function misplacedIn(draft: RuleDraft, rest: Fields, say: SayMistake): Mistake[] {
  const found = Object.entries(FIELDS).flatMap(([name, [first, second]]) => {
    const { [first]: value } = rest;
    const inside = second === undefined ? undefined : objectIn(value);
    if (inside === undefined || second === undefined)
      return value === undefined ? [] : [[`rule.${first}`, say('ownField')] as const];
    const path = `rule.${first}.${second}`;
    const { [second]: plain } = inside;
    if (first !== 'max' || objectIn(plain) === undefined)
      return plain === undefined ? [] : [[path, say('ownField')] as const];
    const isEmpty = Number.isNaN(draft[name as 'amount' | 'count']); // those of a maximum
    return isEmpty ? [] : [[path, say('twoMaxima')] as const];
  });
  return [...new Map(found)].map(([path, expected]) => ({ path, expected }));
}

/** The rule that a form says, written as it was stored where that can be done in two ways. */
function ruleIn(draft: RuleDraft, rest: Fields, stored: StoredRule | undefined): Rule {
  const { title, max, ...others } = rest;
  const { titleEn, titleZh, amount, count, mode } = draft;
  const isText = typeof stored?.title === 'string' && titleZh === '' && title === undefined;
  const titles = { ...objectIn(title), en: titleEn || undefined, zh: titleZh || undefined };
  const maxima = {
    ...objectIn(max),
    ...(Number.isNaN(amount) ? {} : { amount: minorOf(amount, scaleOf(rest)) }),
    ...(Number.isNaN(count) ? {} : { count }),
  };
  return filled({
    title: isText ? titleEn || undefined : (filled(titles) ?? title),
    ...others,
    max: filled(maxima) ?? max,
    mode: mode === 'enforce' && stored?.mode === undefined ? others.mode : mode,
    from: draft.from.trim() || others.from,
    to: draft.to.trim() || others.to,
  }) as unknown as Rule; // which the server reads as any other JSON
}

function objectIn(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Without what is undefined; undefined where nothing is left. */
function filled(fields: Fields): Fields | undefined {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined);
  return there.length === 0 ? undefined : Object.fromEntries(there);
}
