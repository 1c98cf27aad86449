import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { CommandError } from '../command-error.ts';
import { parseRuleFile } from './rule-file.ts';

/* Packs: rule files of published limits, which say where these are published, and in cases how they are meant. */

const ownSchema = z.strictObject({
  /** Null ends the maximum. */
  amount: z.nullable(z.int()),
  effectiveAfter: z.optional(z.string()),
});
const caseSchema = z.strictObject({
  at: z.string(),
  /** The maxima of its own, by rule, that the payment's subject gets just before it. */
  own: z.optional(z.record(z.string(), ownSchema)),
  amount: z.int(),
  type: z.optional(z.string()),
  subjects: z.optional(z.record(z.string(), z.string())),
  attributes: z.optional(z.record(z.string(), z.string())),
  proofs: z.optional(z.array(z.string())),
  /** It is held, and rolled back with this reason code. Otherwise it is counted at once. */
  fails: z.optional(z.string()),
  /** So many payments, one after the other. */
  times: z.optional(z.int()),
  is: z.enum(['allowed', 'notified', 'challenge', 'refused']),
  /** The rules that refuse it, or notify. */
  by: z.optional(z.array(z.string())),
  /** The proofs with which it passes. */
  prove: z.optional(z.array(z.string())),
  why: z.optional(z.string()),
});
const aboutSchema = z.strictObject({
  title: z.record(z.string(), z.string()),
  sources: z.array(
    z.strictObject({
      text: z.string(),
      at: z.url(),
      /** Whether somebody read the official text, or what the press or a provider says of it. */
      read: z.enum(['official', 'press', 'provider']),
      on: z.iso.date(),
    }),
  ),
  leavesOut: z.array(z.string()),
  /** The payment of each case, as far as it says nothing else. */
  order: z.strictObject({
    type: z.string(),
    currency: z.string(),
    subjects: z.record(z.string(), z.string()),
    attributes: z.optional(z.record(z.string(), z.string())),
  }),
  cases: z.array(caseSchema),
});

/** The account that a pack gives of its rules. Its cases are payments, one after the other. */
export type AboutPack = z.infer<typeof aboutSchema>;

/** A pack. */
export type Pack = {
  readonly name: string;
  readonly about: AboutPack;
  readonly rules: readonly StoredRule[];
};

/** Beside the bundle where it is installed; above the sources, or what is built of them, in the repository. */
function folder(): string {
  const above = ['.', '..', join('..', '..')].map((up) => join(import.meta.dirname, up, 'packs'));
  const found = above.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`there are no packs at ${above.join(', ')}`);
  return found;
}

/** The names of all packs. */
export function packNames(): readonly string[] {
  return readdirSync(folder())
    .flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? [])
    .sort();
}

/** Reads a pack. @throws CommandError where there is none of the name */
export function readPack(name: string): Pack {
  const names = packNames();
  if (!names.includes(name))
    throw new CommandError(
      `Nothing was done: there is no pack ${JSON.stringify(name)}, expected one of ${names.join(', ')}.`,
    );
  const text = readFileSync(join(folder(), `${name}.yaml`), 'utf8');
  const { pack } = z.object({ pack: aboutSchema }).parse(parse(text));
  return { name, about: pack, rules: parseRuleFile(text, `${name}.yaml`) };
}
