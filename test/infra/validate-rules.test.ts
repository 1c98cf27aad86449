import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { validateRuleFile } from '../../infra/validate-rules.ts';

const EUR = '{ id: eur, per: [user], currency: EUR, window: lifetime, max: { amount: 9 } }';
const COUNT = '{ id: count, per: [user], window: lifetime, max: { count: 9 } }';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-validate-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
});

function validate(path: string): { readonly code: number; readonly said: readonly unknown[] } {
  const said: unknown[] = [];
  vi.spyOn(console, 'log').mockImplementation((line) => said.push(line));
  return { code: validateRuleFile(path), said };
}

describe('a rule file that is read without a database', () => {
  it('is all right: the example', () => {
    expect(validate('examples/rules.yaml')).toEqual({
      code: 0,
      said: ['examples/rules.yaml: 14 rules, all right'],
    });
  });

  it('has no mistake, and lets payments of another currency pass', () => {
    const path = join(folder, 'rules.yaml');
    writeFileSync(path, `rules:\n  - ${EUR}\n  - ${COUNT}\n`);
    expect(validate(path)).toEqual({
      code: 0,
      said: [
        'Warning: a payment in a currency other than EUR has no limit on its amount: count applies to every currency, so ON_NO_RULE=refuse allows it; give count a currency, or set ON_NO_RULE=refuse-unlimited',
        `${path}: 2 rules, no mistake, 1 warning`,
      ],
    });
  });
});
