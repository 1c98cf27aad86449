import { RULES_BYTES_MAX, VERSIONS_DEFAULT } from '../shared/bounds.ts';
import { CALLS } from '../../contract/calls.ts';
import { present } from '../shared/present.ts';
import { bothConditions } from '../http/requests.ts';
import type { Framing } from '../http/envelope.ts';
import { tagged } from '../http/envelope.ts';
import type { LambdaHandler } from '../http/handler.ts';
import { PAGE_READ_BYTES_MAX } from '../http/page.ts';
import type { Answered, Asking, RoutesSurroundings } from '../http/routed.ts';
import { createRoutes, route } from '../http/routed.ts';
import type { RuleBook, RulesChanged } from './rule-book.ts';
import type { RuleEdit } from '../changes/rule-edit.ts';
import type { StoredRule } from '../rule-file/rule-set.ts';
import { keptRuleJson, rulesChangedJson, ruleSetJson, versionsJson } from './rules-answer.ts';
import {
  meantOf,
  mistakesOfRule,
  mistakesOfRules,
  RULES_TAKE,
  ruleWithId,
} from './rules-request.ts';
import { proposedAnswer } from '../four-eyes/proposed-answer.ts';

type ChangeOptions = {
  readonly reason?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly nameSubjects?: boolean | undefined;
};

const WRITES = { bodyBytesMax: RULES_BYTES_MAX } as const;

/** Makes the one function of all routes of rules; a direct invocation says its `operation`. */
export function createRulesHandler(
  book: RuleBook,
  surroundings: RoutesSurroundings,
): LambdaHandler {
  const change = changing(book);
  return createRoutes(
    'rules',
    {
      list: route({
        call: CALLS.listRules,
        takes: RULES_TAKE.list,
        async run({ language = 'en' }) {
          const set = await book.read();
          return { answer: ruleSetJson(set, language), ...tagged(set.revision, language) };
        },
      }),
      replace: route({
        call: CALLS.replaceRules,
        ...WRITES,
        takes: RULES_TAKE.replace,
        between: (value) => [...mistakesOfRules(value), ...bothConditions(value)],
        run(given, asking) {
          const rules = given.rules as readonly StoredRule[]; // each was read
          return change({ kind: 'replace', rules, ...meantOf(given) }, given, asking);
        },
      }),
      find: route({
        call: CALLS.findRule,
        takes: RULES_TAKE.find,
        async run({ id, language = 'en' }) {
          const kept = await book.find(id);
          return { answer: keptRuleJson(kept, language), ...tagged(kept.version, language) };
        },
      }),
      put: route({
        call: CALLS.putRule,
        ...WRITES,
        takes: RULES_TAKE.put,
        between: (value) => [...mistakesOfRule(value), ...bothConditions(value)],
        run(given, asking) {
          const rule = ruleWithId(given) as StoredRule; // it was read, and has the id of its path
          return change({ kind: 'put', rule, ...meantOf(given) }, given, asking);
        },
      }),
      delete: route({
        call: CALLS.deleteRule,
        ...WRITES,
        takes: RULES_TAKE.delete,
        between: bothConditions,
        run: (given, asking) =>
          change({ kind: 'delete', id: given.id, ...meantOf(given) }, given, asking),
      }),
      versions: route({
        call: CALLS.ruleVersions,
        takes: RULES_TAKE.versions,
        async run({ id, limit = VERSIONS_DEFAULT, before }) {
          const page = { id, before, limit: limit + 1, bytesMax: PAGE_READ_BYTES_MAX };
          return { answer: versionsJson(id, limit, await book.versions(page)) };
        },
      }),
    },
    surroundings,
  );
}

/** Makes a change in a rule book, and answers what it did or would do. */
function changing(book: RuleBook) {
  return async (
    edit: RuleEdit,
    { reason, dryRun = false, nameSubjects = false }: ChangeOptions,
    { now: at, by }: Asking,
  ): Promise<Answered> => {
    const author = { at, by: by(), ...present({ reason }) };
    const changed = await book.change(edit, author, { dryRun });
    if (changed.proposed !== undefined) return proposedAnswer(changed.proposed);
    const answer = rulesChangedJson(changed, dryRun, nameSubjects);
    return { answer, ...frameOf(edit, changed, dryRun) };
  };
}

/** A rule that was made is 201; what was changed says its version, what is gone has none. */
function frameOf(edit: RuleEdit, { set, changes }: RulesChanged, dryRun: boolean): Framing {
  if (edit.kind === 'replace') return tagged(set.revision);
  if (edit.kind === 'delete') return {};
  const made = set.rules.find(({ rule }) => rule.id === edit.rule.id);
  const isMade = !dryRun && changes.some(({ kind }) => kind === 'added');
  return {
    ...(isMade ? { status: 201 } : {}),
    ...(made === undefined ? {} : tagged(made.version)),
  };
}
