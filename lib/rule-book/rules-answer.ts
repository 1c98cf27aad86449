import type * as told from '../../contract/rules.ts';
import type { Told } from '../../contract/words.ts';
import type { RuleChange } from '../changes/rule-change.ts';
import type { RulesChanged, RuleVersion } from './rule-book.ts';
import type { KeptRule, RuleSet } from '../rule-file/rule-set.ts';
import { fitsInResponse, pageOf } from '../http/page.ts';
import { readStoredRule } from '../rule-file/rule-list.ts';
import type { Language } from '../shared/language.ts';
import { ruleSentence } from '../http/sentences/rule-sentence.ts';
import { ownersText } from '../changes/rule-edit.ts';
import { readDocumentId } from '../shared/subject.ts';
import { authorJson } from '../http/author-answer.ts';

/**
 * Writes all rules, with the version of each and what it means. Where that is more than a function may return,
 * the sentences are left out: `find` has the one of each rule.
 */
export function ruleSetJson(
  { revision, rules }: RuleSet,
  language: Language,
): Told<typeof told.listRulesAnswer> {
  const set = {
    revision,
    rules: rules.map(({ rule }) => rule),
    versions: Object.fromEntries(rules.map(({ rule, version }) => [rule.id, version])),
  };
  const sentences = rules.flatMap(({ rule }) => {
    const read = readStoredRule(rule);
    return read === undefined ? [] : [[rule.id, ruleSentence(read, language)] as const];
  });
  const whole = { ...set, sentences: Object.fromEntries(sentences) };
  return fitsInResponse([whole]) ? whole : { ...set, sentences: {} };
}

/** Writes one rule, the change that made it so, and what it means if it is right. */
export function keptRuleJson(
  { rule, version, ...author }: KeptRule,
  language: Language,
): Told<typeof told.findRuleAnswer> {
  const read = readStoredRule(rule);
  return {
    id: rule.id,
    version,
    ...authorJson(author),
    sentence: read && ruleSentence(read, language),
    rule,
  };
}

/** Writes a page of the changes of a rule; `next` is what the next page is `before`. */
export function versionsJson(
  id: string,
  limit: number,
  found: readonly RuleVersion[],
): Told<typeof told.ruleVersionsAnswer> {
  const { rows, last } = pageOf(found, limit, versionJson);
  return { id, versions: rows, next: last?.version ?? null };
}

/** Writes one change of a rule. */
export function versionJson({ version, before, after, ...author }: RuleVersion) {
  return {
    version,
    change: before === undefined ? 'added' : after === undefined ? 'deleted' : 'changed',
    ...authorJson(author),
    before: before ?? null,
    after: after ?? null,
  } as const;
}

/**
 * Writes what a change did, or in a dry run would do.
 *
 * @param names whether it names the subjects that have overrides, the first of each rule
 */
export function rulesChangedJson(
  { set, changes, warnings }: RulesChanged,
  dryRun: boolean,
  names = false,
): Told<typeof told.rulesChangedAnswer> {
  const answer = {
    revision: set.revision,
    changed: changes.length > 0 && !dryRun,
    dryRun,
    changes: changes.map((change) => ruleChangeJson(change)),
    warnings: warningsJson(warnings),
  };
  if (!names) return answer;
  const named = changes.map((change) => ruleChangeJson(change, SHARED_TOLD_MAX, OWNERS_TOLD_MAX));
  const whole = { ...answer, changes: named };
  return fitsInResponse([whole]) ? whole : answer;
}

/** Warnings that are told; the last one says how many more there are. */
const WARNINGS_TOLD_MAX = 50;

function warningsJson(warnings: RulesChanged['warnings']): readonly string[] {
  const more = warnings.length - WARNINGS_TOLD_MAX;
  const told = warnings.slice(0, WARNINGS_TOLD_MAX).map(({ says }) => says);
  return more > 0 ? [...told, `There are ${more} more warnings.`] : told;
}

/** Subjects of one rule that are named on request. */
const OWNERS_TOLD_MAX = 100;

/** Rules that share a counter with one that changes, as many as are named: each may with all others. */
const SHARED_TOLD_MAX = 20;

/** Writes what a change does to one rule. It names at most `toldMax` that share its counter, and so many owners. */
export function ruleChangeJson(
  change: RuleChange,
  toldMax = SHARED_TOLD_MAX,
  ownersMax = 0,
): Told<typeof told.ruleChange> {
  const { id, kind, counter, because } = change;
  const sharedWith = change.sharedWith.slice(0, toldMax);
  const says = changeSentence(change, toldMax);
  const overrides = overridesJson(change, ownersMax);
  return { id, change: kind, counter, because, sharedWith, overrides, says };
}

function overridesJson({ overrides, owners }: RuleChange, ownersMax: number) {
  if (overrides.kind === 'none' || owners === undefined) return undefined;
  const { documents, isAll } = owners;
  const named = documents.slice(0, ownersMax).map((document) => {
    const { kind, id } = readDocumentId(document);
    return { [kind]: id };
  });
  return {
    fate: overrides.kind,
    rule: overrides.kind === 'follow' ? overrides.to : undefined,
    subjects: documents.length,
    more: !isAll,
    named: named.length === 0 ? undefined : named,
  };
}

/** Says in a sentence what a change means for what a rule counts, and for subjects' own maxima. */
export function changeSentence(change: RuleChange, toldMax = SHARED_TOLD_MAX): string {
  const { overrides, owners } = change;
  const counter = counterSentence(change, toldMax);
  if (overrides.kind === 'none' || owners === undefined) return counter;
  const whose = `own maxima of ${ownersText(owners)}`;
  switch (overrides.kind) {
    case 'follow':
      return `${counter}; ${whose} go on with ${overrides.to}`;
    case 'end':
      return `${counter}; ${whose} no longer apply`;
    case 'begin':
      return `${counter}; ${whose} from before apply`;
    case 'stay':
      return `${counter}; ${whose} stay, and apply to what it counts now`;
  }
}

function counterSentence(
  { counter, because, sharedWith }: RuleChange,
  toldMax = SHARED_TOLD_MAX,
): string {
  const more = sharedWith.length - toldMax;
  const named = sharedWith.slice(0, toldMax).join(', ');
  const shared = more > 0 ? `${named} and ${more} more` : named;
  const together = shared === '' ? '' : `, in one counter with ${shared}`;
  const changed = because.length === 0 ? '' : `, because its ${because.join(' and ')} changed`;
  switch (counter) {
    case 'kept':
      return 'keeps its sum';
    case 'begins':
      return `begins at zero${together}: earlier payments do not count`;
    case 'anew':
      return `begins at zero${together}${changed}: its sum until now no longer counts`;
    case 'joins':
      return because.length === 0
        ? `begins with the sum of ${shared}, in the same counter`
        : `moves to another counter${changed}: it begins with the sum of ${shared}`;
    case 'ends':
      return shared === ''
        ? 'stops counting: its sum is lost, and if you add it again it begins at zero'
        : `stops counting; its counter continues with ${shared}`;
    case 'none':
      return 'counts nothing';
  }
}
