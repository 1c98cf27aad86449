import { expect } from 'vitest';
import { ANSWERS } from '../../contract/answers.ts';
import { SAID } from '../../lib/schema/said.ts';
import { DOCUMENT, wrongIn } from '../openapi/contract.ts';

/** A call, by its operationId; `proposed` is the answer of a change that waits. */
type Answered = keyof typeof ANSWERS;

/** The answers of a test file, and the parts of their schemas that no answer had. */
export class SeenAnswers {
  readonly #seen = new Map<Answered, Set<string>>();

  /** Holds an answer to its schema, to the letter, and remembers what it had. */
  note<Answer>(call: Answered, answer: Answer): Answer {
    const reference = `#/components/schemas/${String(SAID.get(ANSWERS[call])?.id)}`;
    const told: unknown = JSON.parse(JSON.stringify(answer)); // where what is undefined is left out
    expect(wrongIn({ $ref: reference }, told)).toBeUndefined();
    this.#seen.set(call, new Set([...this.of(call), ...membersIn(told)]));
    return answer;
  }

  async noted<Answer>(call: Answered, answer: Promise<Answer>): Promise<Answer> {
    return this.note(call, await answer);
  }

  /** Everything that the answers to a call had, by its path; and values of few: `rules[].mode=shadow`. */
  of(call: Answered): ReadonlySet<string> {
    return this.#seen.get(call) ?? new Set();
  }

  /**
   * The parts of a call's schema that were in no answer to it.
   *
   * @param more what was seen elsewhere
   */
  unseen(call: Answered, more: Iterable<string> = []): readonly string[] {
    const seen = new Set([...this.of(call), ...more]);
    const known = [...membersOf({ $ref: String(SAID.get(ANSWERS[call])?.id) })];
    expect(known.length).toBeGreaterThan(3);
    return known.filter((member) => !seen.has(member));
  }
}

/** A part of a JSON Schema. */
type Part = {
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
  readonly $ref?: string;
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: unknown;
};

/** Parts of answers that another test covers: problems, and a step that is plain text. */
const isToldElsewhere = (member: string): boolean =>
  member.includes('.problem.') || member.endsWith('.step=exact');

/** Every member that a schema of the document knows, and every value of those with few. */
function membersOf(schema: Part): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (part: Part, path: string): void => {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      found.add(`${path}.${name}`);
      visit(member, `${path}.${name}`);
    }
    if (part.items !== undefined) visit(part.items, `${path}[]`);
    for (const each of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) visit(each, path);
    if (part.$ref !== undefined)
      visit(DOCUMENT.components.schemas[part.$ref.split('/').at(-1) ?? ''] ?? {}, path);
    const values = [...(part.enum ?? []), ...('const' in part ? [part.const] : [])];
    for (const value of values) found.add(`${path}=${String(value)}`);
    if ([part.type].flat().includes('null')) found.add(`${path}=null`);
    if (part.type === 'boolean' && values.length === 0)
      for (const value of ['true', 'false']) found.add(`${path}=${value}`);
  };
  visit(schema, '');
  return new Set([...found].filter((member) => !isToldElsewhere(member)));
}

/** Every member that an answer has, and every value. */
function membersIn(answer: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const each of value as unknown[]) visit(each, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        found.add(`${path}.${name}`);
        visit(member, `${path}.${name}`);
      }
    else found.add(`${path}=${String(value)}`);
  };
  visit(answer, '');
  return found;
}
