import { VERSIONS_DEFAULT } from '../shared/bounds.ts';
import type { Consent } from './consent.ts';
import type { Mistake } from '../shared/errors.ts';
import { InvalidConfigurationError } from '../shared/errors.ts';
import type { Condition, RuleEdit, VersionQuery } from './rule-edit.ts';
import type { StoredRule } from './rule-set.ts';
import { bothConditions, conditionFields } from '../http/conditions.ts';
import type { Envelope } from '../http/envelope.ts';
import { readHeader } from '../http/headers.ts';
import type { ParsedText } from '../http/json-text.ts';
import { mistakeAt, ownField } from '../http/mistakes.ts';
import { readRequest } from '../http/requests.ts';
import { asInvoked } from '../http/routed.ts';
import { isRuleId, readRule } from './file/rule.ts';
import { parseRules, RULES_EXPECTED } from './file/rule-list.ts';
import {
  deleteRuleSchema,
  findRuleSchema,
  listRulesSchema,
  putRuleSchema,
  replaceRulesSchema,
  ruleVersionsSchema,
} from '../http/rules-schemas.ts';
import type { Language } from '../http/sentences/language.ts';
import { languageFor } from '../http/sentences/language.ts';

/** An edit of the rules as a caller wants it. */
export type EditRequest = {
  readonly edit: RuleEdit;
  readonly reason?: string;
  readonly dryRun: boolean;
};

/** Reads in which language all rules are said. */
export function readListRequest(request: ParsedText, _appId: string, envelope: Envelope): Language {
  const { language } = readRequest(listRulesSchema, asked(request, envelope), () => []);
  return languageIn(language, envelope);
}

/** A direct invocation says the language in a field, HTTP in a header. */
function languageIn(language: string | undefined, envelope: Envelope): Language {
  return languageFor(
    envelope.kind === 'direct' ? language : readHeader(envelope.headers, 'Accept-Language'),
  );
}

/** Which rule is asked for, and in which language it is said. */
export type FindRequest = { readonly id: string; readonly language: Language };

/** Reads which rule is asked for. */
export function readFindRequest(
  request: ParsedText,
  _appId: string,
  envelope: Envelope,
): FindRequest {
  const given = readRequest(findRuleSchema, asked(request, envelope), () => []);
  return { id: given.id, language: languageIn(given.language, envelope) };
}

/** Reads whose changes are asked for, and which page of them. */
export function readVersionsRequest(
  request: ParsedText,
  _appId: string,
  envelope: Envelope,
): VersionQuery & { readonly id: string } {
  const given = readRequest(ruleVersionsSchema, asked(request, envelope), () => []);
  const { limit = VERSIONS_DEFAULT, before } = given;
  return { id: given.id, limit, ...(before === undefined ? {} : { before }) };
}

/** Reads the rule that is to be, with what is wrong with it at `rule`. */
export function readPutRequest(request: ParsedText, envelope: Envelope): EditRequest {
  const given = readRequest(putRuleSchema, asked(request, envelope), (value) => [
    ...mistakesOfRule(ruleWithId(value), ownField(value, 'id')),
    ...bothConditions(value),
  ]);
  const rule = ruleWithId(given) as StoredRule; // it was read, and has the id of its path
  const edit = { kind: 'put', rule, condition: conditionOf(given), ...meantOf(given) } as const;
  return { edit, ...whyOf(given) };
}

/** Reads which rule is to go. */
export function readDeleteRequest(request: ParsedText, envelope: Envelope): EditRequest {
  const given = readRequest(deleteRuleSchema, asked(request, envelope), bothConditions);
  const condition = conditionOf(given);
  return { edit: { kind: 'delete', id: given.id, condition }, ...whyOf(given) };
}

/** Reads the rules that are to be, with what is wrong with each at `rules[id]`. */
export function readReplaceRequest(request: ParsedText, envelope: Envelope): EditRequest {
  const given = readRequest(replaceRulesSchema, asked(request, envelope), (value) => [
    ...mistakesOfRules(ownField(value, 'rules')),
    ...bothConditions(value),
  ]);
  const rules = given.rules as readonly StoredRule[]; // each was read
  const edit = {
    kind: 'replace',
    rules,
    condition: conditionOf(given),
    ...meantOf(given),
  } as const;
  return { edit, ...whyOf(given) };
}

/** A call over HTTP as a direct invocation would say it, with what its headers say beside the rest. */
function asked(request: ParsedText, envelope: Envelope): ParsedText {
  if (envelope.kind === 'direct') return request;
  const { headers, line } = envelope;
  const isPut = line.method === 'PUT';
  const places = isPut ? { body: IN_BODY, query: [] } : IN_QUERY;
  const invoked = asInvoked(request, envelope, places);
  const { value } = invoked;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invoked;
  const conditions = line.method === 'GET' ? {} : conditionFields(headers);
  return { ...invoked, value: { ...value, ...conditions } };
}

const IN_BODY = ['rule', 'rules', 'beginAnew', 'drop', 'reason', 'dryRun'];
const IN_QUERY = {
  body: [],
  query: ['limit', 'before', 'reason', 'dryRun'],
  numbers: ['limit', 'before'], // the versions of a rule are numbers
};

function conditionOf(given: {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}): Condition {
  const { ifMatch, ifNoneMatch } = given;
  if (ifNoneMatch !== undefined) return { kind: 'absent' };
  if (ifMatch === undefined) return { kind: 'unsaid' };
  if (ifMatch.trim() === '*') return { kind: 'any' };
  const numbers = ifMatch.split(',').map((each) => Number(each.replaceAll(/[" ]/g, '')));
  return { kind: 'versions', versions: numbers };
}

function whyOf(given: {
  readonly reason?: string | undefined;
  readonly dryRun?: boolean | undefined;
}): Omit<EditRequest, 'edit'> {
  const { reason, dryRun = false } = given;
  return { ...(reason === undefined ? {} : { reason }), dryRun };
}

/** What is not meant is left out: a proposal keeps the rest. */
function meantOf(given: {
  readonly beginAnew?: boolean | undefined;
  readonly drop?: boolean | undefined;
}): Consent {
  const { beginAnew = false, drop = false } = given;
  return { ...(beginAnew ? { beginAnew } : {}), ...(drop ? { drop } : {}) };
}

/** The rule of a request; where it does not say its id, with that of the path. */
function ruleWithId(value: unknown): unknown {
  const rule = ownField(value, 'rule');
  const isRule = typeof rule === 'object' && rule !== null && !Array.isArray(rule);
  return isRule ? { id: ownField(value, 'id'), ...rule } : rule;
}

function mistakesOfRule(rule: unknown, id: unknown): readonly Mistake[] {
  if (!isRuleId(id)) return []; // that is said already
  const reading = readRule(rule, ['rule']);
  if (reading.kind === 'wrong') return reading.mistakes;
  if (reading.rule.id === id) return [];
  return [
    mistakeAt(['rule', 'id'], reading.rule.id, `none, or ${JSON.stringify(id)} as the path says`),
  ];
}

function mistakesOfRules(rules: unknown): readonly Mistake[] {
  // Without any rule every order is refused, or none: that is done one by one, or not at all.
  if (!Array.isArray(rules) || rules.length === 0)
    return [mistakeAt(['rules'], rules, RULES_EXPECTED)];
  try {
    parseRules(rules, 'the request');
    return [];
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error.mistakes;
    throw error;
  }
}
