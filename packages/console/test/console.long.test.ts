import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RuleUsage, UsageAnswer } from '@headroom-limits/client';
import { MongoClient } from 'mongodb';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readApps, replaceApp } from '../../../lib/callers/mongo-callers.ts';
import { RIGHTS } from '../../../contract/calls.ts';
import { endOf, startProgram, urlOf } from '../../../test/infra/start-program.ts';
import type { Program } from '../../../test/infra/start-program.ts';
import type { Desk } from './desk.ts';
import { NOON, patient, post as postTo, startDesk } from './desk.ts';
import type { Visitor } from './visitor.ts';
import { violationsOf, visit } from './visitor.ts';
import { OWN_WRITES } from '../../../lib/mongo/client.ts';

/** So long after words are offered the editor takes none: somebody may have meant a new line. */
const TAKES_NO_KEY_MS = 250;
/** What may be loaded before charts, compressed. */
const BYTES_MAX = 200_000;
const CONSOLE = join(import.meta.dirname, '..');
const ROOT = join(CONSOLE, '..', '..');
const PICTURES = join(ROOT, 'docs', 'console');

let desk: Desk;
let folder: string;
let databaseName: string;
let url: string;
let browser: Browser;

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  postTo(url, path, body, headers);
const pay = (orderId: string, user: string, amount: number, more: object = {}, at?: string) =>
  post(
    'check',
    {
      ...{ orderId, type: 'PAYMENT', subjects: { user }, amount, currency: 'CNY' },
      ...more,
    },
    at === undefined ? {} : { 'x-headroom-now': at },
  );

beforeAll(async () => {
  desk = await startDesk();
  ({ folder, databaseName, url, browser } = desk);
  for (const [index, amount] of [2_000_000, 2_000_000, 1_500_000].entries())
    await pay(`order-${index + 1}`, 'u-1', amount, {
      subjects: { user: 'u-1', merchant: 'm-1', card: 'c-1' },
    });
  await post('confirm', { orderId: 'order-1', subjects: { user: 'u-1' } });
  await post('refund', {
    orderId: 'order-1',
    refundId: 'r-1',
    amount: 500_000,
    reason: 'one back',
  });
  // A change that waits for a second person.
  await patient(`${url}/v1/subjects/user/u-6/overrides/user-day`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-actor': 'jim@example.com' },
    body: JSON.stringify({ max: { amount: 9_000_000 }, reason: 'a wedding' }),
  });
}, 240_000);

afterAll(async () => {
  await desk.stop();
});

/** Lets somebody sit before the console for as long as a story takes. */
async function seated(
  look: Parameters<typeof visit>[2],
  story: (visitor: Visitor) => Promise<void>,
  address = url,
): Promise<void> {
  const visitor = await visit(browser, address, { now: NOON, ...look });
  try {
    await story(visitor);
    await visitor.leave();
  } finally {
    await visitor.context.close();
  }
}

describe('the sources', () => {
  const program = (name: string, file: string) => join(ROOT, 'node_modules', name, 'bin', file);
  it.each([
    { what: 'types', words: [program('typescript', 'tsc'), '--noEmit', '-p', CONSOLE] },
    {
      what: 'lint',
      words: [program('oxlint', 'oxlint'), '-c', join(CONSOLE, 'oxlint.json'), CONSOLE],
    },
  ])('are right by $what, with what they import', ({ words }) => {
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ status, stdout: status === 0 ? '' : stdout }).toEqual({ status: 0, stdout: '' });
  });
});

const SCREENS = [
  { name: 'subject', hash: '/subject?kind=user&id=u-1', has: 'Daily limit', zh: '单日累计限额' },
  { name: 'refusals', hash: '/refusals', has: 'order-3', zh: 'order-3' },
  { name: 'near', hash: '/near?share=0.5', has: 'user-day', zh: 'user-day' },
  { name: 'approvals', hash: '/approvals', has: 'a wedding', zh: 'a wedding' },
  { name: 'rules', hash: '/rules', has: 'at most', zh: '最多' },
  { name: 'rule', hash: '/rules?id=user-week', has: 'a week', zh: '每周' },
  { name: 'backtests', hash: '/backtests', has: 'Nobody has asked yet', zh: '还没有回测' },
  { name: 'editor', hash: '/rules?id=user-day&edit=1', has: 'Everything else', zh: '其余内容' },
  {
    name: 'what-if',
    hash: '/what-if?subjects=user:u-1&amount=2000000&currency=CNY&type=PAYMENT',
    has: 'It would be refused',
    zh: '会被拒绝',
  },
  { name: 'payment', hash: '/payment?order=order-1', has: 'Refunded', zh: '已退款' },
  { name: 'health', hash: '/health', has: 'raises need one', zh: '放宽须复核' },
  {
    name: 'dialog',
    hash: '/subject?kind=user&id=u-1&do=override&rule=user-day',
    has: 'New maximum amount',
    zh: '新的金额上限',
  },
] as const;

const LOOKS = [
  { scheme: 'light', width: 1280, lang: 'en' },
  { scheme: 'dark', width: 400, lang: 'zh' },
] as const;

// Before others write what nobody wants in a picture.
describe('every screen', () => {
  it.each(LOOKS.flatMap((look) => SCREENS.map((screen) => ({ ...look, ...screen }))))(
    '$name, $scheme, $width wide, in $lang, is there, fits, and axe finds nothing',
    async ({ name, hash, has, zh, lang, scheme, width }) => {
      await seated({ scheme, width }, async ({ page, open }) => {
        await open(`${hash}${hash.includes('?') ? '&' : '?'}lang=${lang}`);
        await page
          .getByText(lang === 'zh' ? zh : has)
          .first()
          .waitFor();
        await page.waitForLoadState('networkidle');
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        const path = join(PICTURES, `${name}-${scheme}.png`);
        // Those that the pages show.
        if (process.env.CONSOLE_PICTURES === '1' && existsSync(path))
          await page.screenshot({ path });
      });
    },
  );

  it('names the time zone of its times', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/health');
      await page.getByText('Times are in Asia/Shanghai').waitFor();
      await open('/health?lang=zh');
      await page.getByText('未注明时区的时间均为 Asia/Shanghai 时间').waitFor();
    });
  });

  it('is reached and used by the keyboard alone', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-1');
      await page.getByRole('button', { name: 'Change' }).first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('1');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement !== document.body')).toBe(true);
    });
  });
});

describe('the files', () => {
  it('that the subject page loads before charts are below 200 kB', async () => {
    await seated({}, async ({ page, open }) => {
      const loaded = new Set<string>();
      page.on('response', (response) => {
        const { pathname } = new URL(response.url());
        if (pathname.startsWith('/console/assets/')) loaded.add(pathname.split('/').at(-1) ?? '');
      });
      await open('/subject?kind=user&id=u-1');
      await page.getByRole('meter').first().waitFor();
      const before = [...loaded].filter((name) => !name.startsWith('drawing-'));
      const bytes = before.map(
        (name) => gzipSync(readFileSync(join(folder, 'assets', name))).length,
      );
      expect(before.length).toBeGreaterThan(3);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(BYTES_MAX);
    });
  });

  it('that a rule is edited with are below 210 kB', () => {
    const names = readdirSync(join(folder, 'assets')).filter((name) =>
      /^rule-editor-.*js$/.test(name),
    );
    const bytes = names.map((name) => gzipSync(readFileSync(join(folder, 'assets', name))).length);
    expect(bytes).toHaveLength(1);
    expect(bytes[0]).toBeLessThanOrEqual(210_000);
  });

  it('have no inline script or style', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=/);
    for (const name of readdirSync(join(folder, 'assets')))
      expect(readFileSync(join(folder, 'assets', name), 'utf8')).not.toContain('new Function(');
  });
});

describe('a subject', () => {
  it('is there after two calls: how its limits stand, and what its reader may do', async () => {
    await seated({}, async ({ page, open, asked }) => {
      let first: readonly string[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/v1/usage?')) first = asked();
      });
      await open('/subject?kind=user&id=u-1');
      await page.getByRole('meter').first().waitFor();
      expect([...first].sort()).toEqual(['/v1/caller', '/v1/usage']);
    });
  });

  it('says of which payments alone a rule counts', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-1&unused=1');
      const limit = page.getByRole('rowgroup').filter({ hasText: 'user-unverified' });
      await limit.getByText('only if type is TRANSFER and verified is not true').waitFor();
      await open('/subject?kind=user&id=u-1&unused=1&lang=zh');
      await limit.getByText('仅当 type 为 TRANSFER，且 verified 不为 true').waitFor();
    });
  });

  /** Shows the limits of u-1 with other figures than the server's. */
  const showing = async (
    { page, open }: Visitor,
    change: (rules: readonly RuleUsage[]) => readonly RuleUsage[],
  ) => {
    await page.route('**/v1/usage?*', async (route) => {
      const usage = (await (await route.fetch()).json()) as UsageAnswer;
      return route.fulfill({ json: { ...usage, rules: change(usage.rules) } });
    });
    await open('/subject?kind=user&id=u-1');
    const limits = page.getByRole('region', { name: 'Limits' });
    await limits.getByRole('table').waitFor();
    return limits;
  };

  it('has a line for each limit, 14 of them above the fold', async () => {
    await seated({}, async (visitor) => {
      const limits = await showing(visitor, (rules) =>
        rules
          .filter(({ rule }) => rule === 'user-week')
          .flatMap((rule) =>
            Array.from({ length: 14 }, (_, index) => ({
              ...{ ...rule, rule: `rule-${index}`, share: (index + 1) / 20, currency: 'CNY' },
              ...{ max: { amount: 2_000 }, used: { amount: (index + 1) * 100 } },
            })),
          ),
      );
      expect(await limits.getByRole('meter').count()).toBe(14);
      const { y = 0, height = 0 } = (await limits.boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(800);
      const names = await limits.getByRole('rowgroup').getByRole('link').allInnerTexts();
      expect(names[0]).toContain('rule-13');
      expect(names.at(-1)).toContain('rule-0');
    });
  });

  it('folds the limits that nothing was taken of, and no other', async () => {
    await seated({}, async (visitor) => {
      const limits = await showing(visitor, (rules) => [
        ...rules.filter(({ rule }) => rule === 'user-day' || rule === 'sms-day'),
        ...rules.slice(0, 1).map((rule) => ({
          ...{ ...rule, rule: 'lowered', share: 0, max: { amount: 1_000_000 }, currency: 'CNY' },
          ...{ used: { amount: -250_000, count: 0 }, held: { amount: 0, count: 0 } },
        })),
        ...rules.slice(0, 1).map((rule) => ({
          ...{ ...rule, rule: 'nothing-allowed', share: 1, max: { count: 0 } },
          ...{ outcome: 'reached' as const, used: { count: 0 }, held: { count: 0 } },
        })),
      ]);
      await limits.getByRole('cell', { name: '-¥2,500.00', exact: true }).waitFor();
      await limits.getByRole('cell', { name: '¥12,500.00', exact: true }).waitFor();
      await limits.getByRole('link', { name: 'nothing-allowed' }).waitFor();
      expect(await limits.getByRole('link', { name: 'sms-day' }).count()).toBe(0);
      await limits.getByRole('button', { name: '1 more, unused' }).click();
      await limits.getByRole('link', { name: 'sms-day' }).waitFor();
      await limits.getByRole('button', { name: 'Hide the unused ones' }).waitFor();
    });
  });

  it('says which rules are not shown, because each payment begins their windows', async () => {
    await seated({}, async ({ page, open }) => {
      await page.route('**/v1/usage?*', async (route) => {
        const usage = (await (await route.fetch()).json()) as UsageAnswer;
        const withoutInstant = [{ rule: 'new-user', attribute: 'registeredAt' }];
        return route.fulfill({ json: { ...usage, rules: [], withoutInstant } });
      });
      await open('/subject?kind=user&id=u-1');
      await page
        .getByText('Not shown: new-user. Each payment says by registeredAt when its window begins.')
        .waitFor();
      expect(await page.getByText('No rule in force counts for this subject').count()).toBe(0);
    });
  });

  it('is frozen by a button beside its name, on a telephone too', async () => {
    await seated({ width: 400 }, async ({ page, open }) => {
      await open(`/subject?kind=user&id=${'a-long-name-'.repeat(20)}`);
      const freeze = await page.getByRole('button', { name: 'Freeze' }).boundingBox();
      const name = await page.getByRole('heading', { level: 1 }).boundingBox();
      expect(freeze?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0));
      expect((freeze?.x ?? 0) + (freeze?.width ?? 0)).toBeLessThanOrEqual(400);
      expect(freeze?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
    });
  });

  it('of which nothing is known says so, and no other', async () => {
    await seated({}, async ({ page, open }) => {
      const unknown = page.getByText('Nothing is known of this subject: no payment and no sum.');
      await open('/subject?kind=user&id=u-404');
      await unknown.waitFor();
      await open('/subject?kind=user&id=u-1');
      await page.getByRole('link', { name: 'order-1' }).first().waitFor();
      expect(await unknown.count()).toBe(0);
      await page.route('**/v1/usage?*', async (route) => {
        const usage = (await (await route.fetch()).json()) as object;
        return route.fulfill({ json: { ...usage, unseen: ['user'] } });
      });
      await open('/subject?kind=user&id=u-1');
      await page.getByText('No payment of this subject counts or is held now.').waitFor();
      expect(await unknown.count()).toBe(0);
    });
  });

  it('names the zone of each time in a sentence, and the currency of each chart', async () => {
    await seated({ zone: 'Europe/Berlin' }, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-1');
      await page.getByText('Mar 4, 00:00 Asia/Shanghai', { exact: true }).first().waitFor();
      await page
        .getByRole('rowgroup')
        .filter({ hasText: 'order-3' })
        .getByRole('button', { name: 'Why' })
        .click();
      await page.getByText('The window ends Mar 4, 2026, 00:00 Asia/Shanghai').first().waitFor();
      await page.getByText('In CNY · Europe/Berlin').waitFor();
      await open('/subject?kind=user&id=u-1&show=user-day');
      await page.getByText('In CNY · Asia/Shanghai').waitFor();
      await open('/refusals?zone=Asia/Tokyo');
      await page.getByText('By rule and hour, in Asia/Tokyo.').waitFor();
    });
  });

  it('shows the change that waits for a second person, asked after its limits are there', async () => {
    await seated({}, async ({ page, open, asked }) => {
      await open('/subject?kind=user&id=u-6');
      await page.getByRole('meter').first().waitFor();
      const line = page.getByText('A change waits for a second person:');
      await line.getByRole('link', { name: 'Own maximum of user-day' }).click();
      await page.getByText('The change that it would make now').waitFor();
      await open('/subject?kind=user&id=u-1');
      await page.waitForLoadState('networkidle');
      await page.getByRole('heading', { name: 'Limits' }).waitFor();
      expect(asked().filter((path) => path === '/v1/proposals')).toHaveLength(1);
      expect(asked().slice(0, 2).sort()).toEqual(['/v1/caller', '/v1/usage']);
      expect(await line.count()).toBe(0);
      expect(await page.getByText('waiting changes were searched').count()).toBe(0);
    });
  });

  it('says that older changes may wait where a page does not have all', async () => {
    await patient(`${url}/v1/subjects/user/u-41/overrides/user-day`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-actor': 'jim@example.com' },
      body: JSON.stringify({ max: { amount: 9_000_000 }, reason: 'a newer one' }),
    });
    await seated({}, async ({ page, open }) => {
      await page.route('**/v1/proposals?*', (route) =>
        route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
      );
      await open('/subject?kind=user&id=u-1');
      await page.getByText('Only the newest 1 waiting changes were searched.').waitFor();
    });
  });

  it('whose payment was refused is raised for a day by two people, and the payment passes', async () => {
    await pay('first', 'u-7', 2_000_000);
    await pay('second', 'u-7', 2_000_000);
    expect(await pay('third', 'u-7', 2_000_000)).toMatchObject({ decision: 'refused' });
    await seated({ person: 'jane@example.com' }, async ({ page, open }) => {
      await open('/payment?order=third');
      await page.getByText('used ¥0.00, held ¥40,000.00, asked ¥20,000.00').waitFor();
      await page.getByRole('link', { name: 'user u-7' }).first().click();
      const limit = page.getByRole('rowgroup').filter({ hasText: 'user-day' }).first();
      await limit.getByRole('button', { name: 'Change' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New maximum amount').fill('80000');
      await dialog.getByLabel('Reason').fill('buys a car');
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText('This needs a second person').waitFor();
      await dialog.getByRole('link', { name: 'Open the proposal' }).click();
      await page.getByText('You made this proposal').waitFor();
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      expect(await pay('third', 'u-7', 2_000_000)).toMatchObject({ decision: 'refused' });
    });
    await seated({ person: 'joe@example.com' }, async ({ page, open }) => {
      await open('/approvals');
      const row = page.getByRole('rowgroup').filter({ hasText: 'buys a car' });
      await row.getByRole('cell', { name: '¥50,000.00 · 100 payments → ¥80,000.00' }).waitFor();
      await row.getByRole('button', { name: 'Look at it' }).click();
      await row.getByRole('button', { name: 'Approve' }).click();
      await page.getByLabel('Reason').fill('spoken to');
      await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Approved. This is what holds:').waitFor();
    });
    expect(await pay('third', 'u-7', 2_000_000)).toMatchObject({ decision: 'allowed' });
  });

  it('is frozen once where the answer to the change was lost, and released', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-8');
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByLabel('Reason').fill('a lost card');
      let attempts = 0;
      await page.route('**/freeze', async (route) => {
        attempts += 1;
        if (attempts > 1) return route.continue();
        await route.fetch(); // made, and its answer is lost
        return route.abort('connectionreset');
      });
      await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
      await page.getByText('It holds for every check from now on').waitFor();
      expect(attempts).toBe(2);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText('Frozen: every new payment is refused.').waitFor();
      expect(await pay('frozen', 'u-8', 100)).toMatchObject({ reason: 'frozen' });
    });
    const changes = await patient(`${url}/v1/subjects/user/u-8/changes`);
    expect(await changes.json()).toMatchObject({ changes: [{ reason: 'a lost card' }] });
  });

  it('is shown as it was changed, however the dialog is left', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-31&do=freeze');
      const dialog = page.getByRole('dialog');
      const unseen = dialog.getByText('Headroom knows no order of this subject.');
      await unseen.waitFor();
      await dialog.getByLabel('Reason').fill('a lost card');
      await dialog.getByRole('button', { name: 'Freeze' }).click();
      await dialog.getByText('It holds for every check from now on').waitFor();
      expect(await unseen.count()).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByText('Frozen: every new payment is refused.').waitFor();
      await open('/subject?kind=user&id=u-1&do=freeze');
      await dialog.getByLabel('Reason').waitFor();
      expect(await unseen.count()).toBe(0);
    });
  });

  it('says that it is unknown whether a change was made while nothing answers', async () => {
    await seated({}, async ({ page, open, context }) => {
      await open('/subject?kind=user&id=u-9');
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByLabel('Reason').fill('a lost card');
      await context.setOffline(true);
      await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
      await page.getByText('The console sends the change again').waitFor();
      await page.getByText('It is unknown whether the change was made').waitFor();
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('It holds for every check from now on').waitFor();
    });
  });
});

describe('a change for a day', () => {
  it('whose answers were lost is the same change when it is sent again', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-13&do=override&rule=user-day');
      await page.getByLabel('New maximum amount').fill('100');
      await page.getByLabel('Reason').fill('for a day');
      let isCut = true;
      await page.route('**/overrides/user-day', async (route) => {
        if (!isCut) return route.continue();
        await route.fetch(); // made, and its answer is lost
        return route.abort('connectionreset');
      });
      await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
      await page.getByText('It is unknown whether the change was made').waitFor();
      isCut = false;
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText(/It holds for every check from now on|This needs a second/).waitFor();
    });
  });

  it('ends a day later by the server, whatever time the browser has', async () => {
    await seated({ now: new Date('2026-03-03T11:00:00Z') }, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-14&do=freeze');
      await page.getByLabel('For how long').selectOption('forDay');
      await page.getByLabel('Reason').fill('for a day');
      await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
      await page.getByText('It holds for every check from now on').waitFor();
      await page.keyboard.press('Escape');
      const history = page.getByRole('region', { name: 'History' });
      await history.getByText('until Mar 4, 12:00').waitFor();
    });
    const terms = await patient(`${url}/v1/subjects/user/u-14/terms`);
    const { freeze, now } = (await terms.json()) as {
      readonly freeze: { readonly until: string };
      readonly now: string;
    };
    const hours = (Date.parse(freeze.until) - Date.parse(now)) / 3_600_000;
    expect(hours).toBeCloseTo(24, 0);
  });
});

/** The YAML of the rule that is edited. */
const yamlOf = (page: Page) => page.getByRole('textbox', { name: 'Everything else, as YAML' });

/** Writes it again, as hands do: all is chosen, and written over. */
async function rewrite(page: Page, text: string): Promise<void> {
  await yamlOf(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

describe('a rule', () => {
  it('is changed: its mistakes in their places, its two sentences, its diff, its version', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-week&edit=1');
      const written = await yamlOf(page).innerText();
      await rewrite(page, written.replace('Asia/Shanghai', 'Mars'));
      await page.getByText(/^Line 6: window\.timeZone: "Mars": /).waitFor();
      await page.getByText('1 mistake. It is named in its place.').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(false);
      expect(await violationsOf(page)).toEqual([]);
      await rewrite(page, written);
      await page.getByLabel('Maximum amount').fill('150000');
      await page.getByText('at most ¥150,000.00 a week').waitFor();
      await page.getByText('每用户每周（Asia/Shanghai）最多¥150,000.00').waitFor();
      await page.getByText('keeps its sum').waitFor();
      await page.getByRole('cell', { name: '¥150,000.00' }).waitFor();
      await page.getByLabel('Reason').fill('the risk team asks');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText(/at most ¥150,000\.00 a week/).waitFor();
      await page.getByText('the risk team asks').first().waitFor();
    });
  });

  it('says while somebody writes that its sum begins at zero, and is saved with their consent', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-week&edit=1');
      const written = await yamlOf(page).innerText();
      await rewrite(page, written.replace('Asia/Shanghai', 'Asia/Tokyo'));
      await page.getByText('begins at zero').first().waitFor();
      const consent = page.getByLabel('The sum of a rule begins at zero. I want that.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('beginAnew').first().waitFor();
      await consent.click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('It waits until somebody else approves it.').waitFor();
    });
  });

  it('begins at a time that is chosen by the keyboard alone, in the zone of its window', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-24h&edit=1');
      const from = page.getByRole('group', { name: 'From', exact: true });
      await from.getByRole('spinbutton').first().focus();
      await page.keyboard.type('110220260930');
      await page.getByText('from 2026-11-02T01:30:00').first().waitFor();
      await from.getByRole('button', { name: 'From: choose a day' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.getByText('from 2026-11-03T01:30:00').first().waitFor();
      await from.getByRole('button', { name: 'From: empty it' }).click();
      await page.getByText('Nothing is different.').waitFor();
    });
  });
});

describe('a new rule', () => {
  it('is made by its fields and YAML, for which words are offered', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules');
      await page.getByRole('button', { name: 'New rule' }).click();
      await page.getByLabel('Name of the rule').fill('tiers');
      await yamlOf(page).focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('counts');
      await page.getByRole('option', { name: 'counts', exact: true }).waitFor();
      await page.getByText('Instead of `match`: the orders that the rule counts.').waitFor();
      await page.waitForTimeout(TAKES_NO_KEY_MS);
      await page.keyboard.press('Enter');
      await page.keyboard.type('type: [PAYMENT, 1]');
      await page.getByText(/^Line \d+: counts\.type: 1: types as text/).waitFor();
      for (const _ of ', 1]') await page.keyboard.press('Backspace');
      await page.keyboard.type(', TRANSFER]\n');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('max: { amount: { by: tier, gold: 50000, else: 20000 } }');
      await page.getByRole('cell', { name: '¥500.00' }).waitFor();
      await page.getByText('counts nothing', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
    });
    const answer = await patient(`${url}/v1/rules/tiers`);
    expect(await answer.json()).toMatchObject({
      rule: {
        ...{ id: 'tiers', per: ['user'], mode: 'draft', currency: 'CNY' },
        counts: { type: ['PAYMENT', 'TRANSFER'] },
        max: { amount: { by: 'tier', gold: 50_000, else: 20_000 } },
      },
    });
  });

  it('cannot be saved as something else than the server looked at', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-year&edit=1');
      const save = page.getByRole('button', { name: 'Save' });
      await page.getByLabel('Maximum count').fill('1000');
      await page.getByText('keeps its sum').waitFor();
      expect(await save.isEnabled()).toBe(true);
      await page.route('**/v1/rules/user-year', () => undefined); // no answer
      await page.getByLabel('Maximum count').fill('2000');
      await page.getByLabel('Reason').fill('more');
      expect(await save.isEnabled()).toBe(false);
    });
  });

  it('keeps what was written where somebody else was first, and takes over the rest', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-month&edit=1');
      await page.getByLabel('Maximum count').fill('77');
      await page.getByText('keeps its sum').waitFor();
      const { rule } = (await (await patient(`${url}/v1/rules/user-month`)).json()) as {
        readonly rule: { readonly max: object };
      };
      await patient(`${url}/v1/rules/user-month`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': '*' },
        body: JSON.stringify({ rule: { ...rule, max: { amount: 40_000_000 } }, reason: 'first' }),
      });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Read again' }).click();
      await expect.poll(() => page.getByLabel('Maximum amount').inputValue()).toBe('¥400,000.00');
      expect(await page.getByLabel('Maximum count').inputValue()).toBe('77');
      await page.getByRole('row', { name: 'added Maximum count' }).waitFor();
      await page.getByText('keeps its sum').waitFor();
    });
  });
});

describe('health', () => {
  it('shows what the doctor finds, and finds it again', async () => {
    const client = new MongoClient(inject('mongodbUri'), OWN_WRITES);
    const audit = client.db(databaseName).collection('audit');
    await seated({}, async ({ page, open }) => {
      await open('/health');
      await page.getByText('all 26 are there').waitFor();
      await audit.dropIndex('order_at');
      await page.getByRole('button', { name: 'Look again' }).click();
      await page.getByText('missing: audit.order_at').waitFor();
      await page.getByText(/^Do: .*headroom indexes/).waitFor();
    });
    const { ensureIndexes } = await import('../../../lib/health/mongo-indexes.ts');
    await ensureIndexes(client.db(databaseName));
    await client.close();
  });
});

describe('a payment', () => {
  it('that was refused is of no limit, and what is no money is told as a number', async () => {
    const send = { type: 'SMS', subjects: { user: 'u-70' }, amount: 0, currency: 'XXX', count: 3 };
    await post('check', { orderId: 'sms-1', ...send, capture: true });
    await post('check', { orderId: 'sms-2', ...send, capture: true });
    await seated({}, async ({ page, open }) => {
      await open('/payment?order=sms-2');
      const life = page.getByRole('region', { name: 'Its life' });
      await life.getByText('3 payments', { exact: true }).waitFor();
      expect(await life.getByText('0', { exact: true }).count()).toBe(0);
      await life.getByRole('link', { name: 'user u-70' }).waitFor();
      await open('/subject?kind=user&id=u-70');
      await page.getByText('Number of payments in XXX · Asia/Shanghai').waitFor();
    });
  });

  it('that was recorded says when it was paid', async () => {
    await post('record', {
      orders: [
        {
          ...{ orderId: 'recorded', type: 'PAYMENT', subjects: { user: 'u-71' }, amount: 100 },
          ...{ currency: 'CNY', at: '2026-03-02T10:00:00Z' },
        },
      ],
    });
    await seated({}, async ({ page, open }) => {
      await open('/payment?order=recorded');
      await page.getByText('paid Mar 2, 18:00:00').waitFor();
    });
  });

  it('whose hold has expired is not told as held', async () => {
    await pay('expired', 'u-72', 700, { hold: 'PT1M' });
    await seated({}, async ({ page, open }) => {
      await page.route('**/v1/**', (route) =>
        route.continue({
          headers: { ...route.request().headers(), 'x-headroom-now': '2026-03-03T05:00:00Z' },
        }),
      );
      await open('/payment?order=expired');
      await page.getByText('Expired', { exact: true }).waitFor();
      await page.getByText('its hold ended Mar 3, 12:01').waitFor();
      await open('/subject?kind=user&id=u-72');
      await page.getByRole('link', { name: 'expired' }).waitFor();
      expect(await page.getByText('Allowed, held').count()).toBe(0);
    });
  });

  it('of a check whose row is lost has an amount without a currency, and says so', async () => {
    await pay('no-row', 'u-73', 123_456);
    const client = new MongoClient(inject('mongodbUri'), OWN_WRITES);
    await client.db(databaseName).collection('audit').deleteOne({ orderId: 'no-row' });
    await client.close();
    await post('confirm', { orderId: 'no-row', subjects: { user: 'u-73' } });
    await seated({}, async ({ page, open }) => {
      await open('/payment?order=no-row');
      await page.getByText('123,456 minor units of an unknown currency').first().waitFor();
    });
  });
});

describe('what somebody else wrote', () => {
  const emoji = '💳'.repeat(100);
  it.each([
    { id: '<img src=x onerror=alert(1)>', shown: '<img src=x onerror=alert(1)>' },
    { id: 'abc\u202Egnp.exe', shown: 'U+202E' },
    { id: '"><script>alert(1)</script>', shown: '"><script>alert(1)</script>' },
  ])('is text: $id', async ({ id, shown }) => {
    await pay(`of ${id}`, id, 9_000_000);
    await patient(`${url}/v1/subjects/user/${encodeURIComponent(id)}/freeze`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: `${id} ${emoji}` }),
    });
    await seated({ width: 400 }, async ({ page, open }) => {
      await open(`/subject?${new URLSearchParams({ kind: 'user', id }).toString()}`);
      await page.getByRole('heading', { level: 1 }).getByText(shown).waitFor();
      await page.getByText('Frozen: every new payment is refused.').waitFor();
      expect(await page.locator('img').count()).toBe(0);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(tooWide).toBe(false);
    });
  });
});

describe('a call that fails', () => {
  it("shows the problem's own sentence and its request id, and may be sent again", async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=no-such-rule');
      const alert = page.getByRole('alert').first();
      await alert.getByText(/no-such-rule/).waitFor();
      await alert.getByText('NO_SUCH_RULE').waitFor();
      await alert.getByText(/^Request /).waitFor();
      await alert.getByRole('button', { name: 'Try again' }).waitFor();
    });
  });
});

describe('where calls are signed', () => {
  let signedName: string;
  // A signature has the time of this machine.
  const SIGNING = { now: undefined };
  let signed: Program;
  let address: string;
  let client: MongoClient;
  beforeAll(async () => {
    signedName = `${databaseName}-signed`;
    signed = startProgram({
      ...{ MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: signedName },
      ...{ AUTH: 'hmac', APPS_CACHE_SECONDS: '0', CONSOLE: 'on', FOUR_EYES: 'none' },
    });
    address = await urlOf(signed);
    client = new MongoClient(inject('mongodbUri'), OWN_WRITES);
  });
  afterAll(async () => {
    await endOf(signed, (pid) => process.kill(pid, 'SIGINT'));
    await client.db(signedName).dropDatabase();
    await client.close();
  });

  /** Changes the application that the console signs as. */
  async function changeApplication(change: object): Promise<void> {
    const [app] = await readApps(client.db(signedName));
    if (app === undefined) throw new Error('npm start made no application');
    expect(await replaceApp(client.db(signedName), { ...app, ...change })).toBe(true);
  }
  const freezing = async ({ page }: Visitor): Promise<void> => {
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByLabel('Reason').fill('a lost card');
    await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click();
  };

  it('signs as the application of npm start, and says so', async () => {
    await seated(
      SIGNING,
      async ({ page, open }) => {
        await open('/health');
        await page.getByText('sample', { exact: true }).waitFor();
        await page.getByText('all 26 are there').waitFor();
      },
      address,
    );
  });

  it('shows the life of a payment of another application', async () => {
    const audit = client.db(signedName).collection<{ readonly at: Date }>('audit');
    await audit.updateMany({}, { $set: { appId: 'shop' } });
    const { at } = (await audit.findOne({ outcome: 'refused' })) ?? { at: NOON };
    const day = at.toLocaleDateString('sv-SE', { timeZone: 'UTC' });
    await seated(
      SIGNING,
      async ({ page, open }) => {
        await open(`/refusals?zone=UTC&date=${day}`);
        await page.getByRole('link', { name: /^sample-.*-3$/ }).click();
        await page.getByText('Its life').waitFor();
        await page.getByText('Refused', { exact: true }).first().waitFor();
        expect(await page.getByLabel('Application').inputValue()).toBe('shop');
      },
      address,
    );
  });

  it('shows no button for a right that was taken away while the page was open', async () => {
    await seated(
      SIGNING,
      async (visitor) => {
        const { page, open } = visitor;
        await open('/subject?kind=user&id=u-1');
        await page.getByRole('button', { name: 'Change' }).first().waitFor();
        await changeApplication({ rights: ['usage:read', 'rules:read'] });
        await freezing(visitor);
        await page.getByRole('alert').getByText('RIGHT_MISSING').first().waitFor();
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Freeze' }).waitFor({ state: 'detached' });
        expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0);
        await open('/health');
        await page.getByText('It needs the right health:read.').waitFor();
      },
      address,
    );
    await changeApplication({ rights: [...RIGHTS] });
  });

  it('says that nobody is signed in once the application may not sign', async () => {
    await seated(
      SIGNING,
      async ({ page, open }) => {
        await open('/subject?kind=user&id=u-1');
        await page.getByRole('button', { name: 'Freeze' }).waitFor();
        await changeApplication({ status: 'disabled' });
        // The dialog tries the change as soon as it is there.
        await page.getByRole('button', { name: 'Freeze' }).click();
        await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
        await page.getByText('signs with another secret now').waitFor();
        await changeApplication({ status: 'active' });
        await page.getByRole('button', { name: 'Reload the page' }).click();
        await page.getByRole('button', { name: 'Freeze' }).first().waitFor();
      },
      address,
    );
  });
});

describe('behind a login', () => {
  const behindLogin = async (
    { page }: Visitor,
    answer: Parameters<Route['fulfill']>[0],
  ): Promise<void> => {
    await page.route('**/console.json', (route) =>
      route.fulfill({ json: { api: '/', signIn: 'login' } }),
    );
    await page.route('**/v1/**', (route) => route.fulfill(answer));
  };

  it.each([
    { how: 'a redirect', answer: { status: 302, headers: { location: 'https://login.example/' } } },
    { how: 'HTTP 401', answer: { status: 401, body: 'sign in' } },
    {
      how: 'a page for signing in',
      answer: { status: 200, contentType: 'text/html', body: '<!DOCTYPE html><h1>Sign in</h1>' },
    },
  ])('that has ended, $how is told as that', async ({ answer }) => {
    await seated({}, async (visitor) => {
      await behindLogin(visitor, answer);
      await visitor.open('/subject?kind=user&id=u-1');
      await visitor.page.getByText('Your session has ended').waitFor();
    });
  });
});

describe('refusals of a day', () => {
  it('have the times of the zone whose day it is', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/refusals?zone=America/New_York');
      await page.getByText('Mar 2, 23:00:0').first().waitFor();
      expect(await page.getByText('Mar 3, 12:00:0').count()).toBe(0);
    });
  });

  it('are counted as each panel says, with each filter beside what it filters', async () => {
    const refused = { decision: 'refused' };
    expect(await pay('no-user', '', 900_000_001, { subjects: { merchant: 'm-40' } })).toMatchObject(
      refused,
    );
    expect(await pay('with-user', 'u-40', 9_000_000)).toMatchObject(refused);
    expect(await pay('mistyped', '', 100, { subjects: { usr: 'u-40' } })).toMatchObject(refused);
    await seated({}, async ({ page, open }) => {
      await open('/refusals');
      const list = page.getByRole('region', { name: 'Refused checks', exact: true });
      const chart = page.getByRole('region', { name: 'Refused checks that name user' });
      await list.getByText('with-user', { exact: true }).waitFor();
      await list.getByText('no-user', { exact: true }).waitFor();
      await chart.getByText(/^\d+ checks? refused$/).waitFor();
      await chart.getByLabel('Kind').fill('terminal');
      await chart.getByLabel('Kind').press('Enter');
      const other = page.getByRole('region', { name: 'Refused checks that name terminal' });
      await other.getByText('No check that names terminal was refused on this day.').waitFor();
      await list.getByText('with-user', { exact: true }).waitFor();
      await other.getByLabel('Kind').fill('usr');
      await other.getByLabel('Kind').press('Enter');
      const mistyped = page.getByRole('region', { name: 'Refused checks that name usr' });
      await mistyped.getByRole('rowheader', { name: 'no rule applies' }).waitFor();
      await list.getByLabel('Rule').fill('no-such-rule');
      await list.getByLabel('Rule').press('Enter');
      const one = page.getByRole('region', { name: 'Checks refused by no-such-rule' });
      await one.getByText('The rule no-such-rule refused no check on this day.').waitFor();
    });
  });

  it('are listed by a rule, and by an hour of it, that is clicked, until it is clicked again', async () => {
    await pay('early', 'u-42', 9_000_000, {}, '2026-03-03T01:30:00Z');
    await pay('late', 'u-42', 9_000_000);
    await seated({}, async ({ page, open }) => {
      await open('/refusals');
      const list = page.getByRole('table', { name: 'Refused checks' });
      const early = list.getByRole('link', { name: 'early', exact: true });
      const late = list.getByRole('link', { name: 'late', exact: true });
      const rows = page.getByRole('table', { name: 'Refusals by rule and hour on 2026-03-03' });
      const row = rows.getByRole('row').filter({ hasText: 'single' });
      await row.getByRole('button', { name: 'single', exact: true }).click();
      await page.getByRole('heading', { name: 'Checks refused by single' }).waitFor();
      await early.waitFor();
      await late.waitFor();
      const hour = row.getByRole('button', { name: 'single, 09:00: 1' });
      await hour.click();
      await late.waitFor({ state: 'detached' });
      await early.waitFor();
      expect(await hour.getAttribute('aria-pressed')).toBe('true');
      await hour.click();
      await late.waitFor();
      await page.getByRole('heading', { name: 'Refused checks', exact: true }).waitFor();
      await open('/refusals?hour=05:00');
      await page.getByText('No check was refused in this hour that fits.').waitFor();
    });
  });

  it.each([
    { lang: 'en', label: 'Day', typed: '03022026' },
    { lang: 'zh', label: '日期', typed: '20260302' },
  ])('are those of a day that is typed, in $lang', async ({ lang, label, typed }) => {
    await seated({}, async ({ page, open }) => {
      const days: (string | null)[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/v1/summary') days.push(searchParams.get('date'));
      });
      await open(`/refusals?lang=${lang}`);
      const day = page.getByRole('group', { name: label, exact: true });
      await day.getByText('2026').waitFor(); // today, as the server says
      await day.getByRole('spinbutton').first().focus();
      await page.keyboard.type(typed);
      await expect.poll(() => days.at(-1)).toBe('2026-03-02');
      expect(days.filter((each) => each?.startsWith('0'))).toEqual([]);
      expect(page.url()).toContain('date=2026-03-02');
    });
  });

  it('are listed by a reason that is no rule, and by an hour of it', async () => {
    await pay('no-rule-for-it', 'u-42', 1, { currency: 'XTS' });
    await seated({}, async ({ page, open }) => {
      await open('/refusals');
      const list = page.getByRole('table', { name: 'Refused checks' });
      const rows = page.getByRole('table', { name: 'Refusals by rule and hour on 2026-03-03' });
      const row = rows.getByRole('row').filter({ hasText: 'no rule applies' });
      await row.getByRole('button', { name: 'no rule applies', exact: true }).click();
      await page.getByRole('heading', { name: 'Checks refused: no rule applies' }).waitFor();
      await list.getByRole('link', { name: 'no-rule-for-it', exact: true }).waitFor();
      await list.getByRole('link', { name: 'order-3', exact: true }).waitFor({ state: 'detached' });
      await row.getByRole('button', { name: /^no rule applies, 12:00: / }).click();
      await list.getByRole('link', { name: 'no-rule-for-it', exact: true }).waitFor();
      await rows.getByRole('button', { name: 'single', exact: true }).click();
      await page.getByRole('heading', { name: 'Checks refused by single' }).waitFor();
    });
  });
});

describe('the list of who is near a limit', () => {
  it('shows what is used now, the most first, beside what was reached and when', async () => {
    for (const [index, amount] of [2_000_000, 2_000_000, 1_000_000].entries())
      await pay(`back-${index}`, 'u-60', amount);
    for (const index of [0, 1])
      await post('rollback', { orderId: `back-${index}`, subjects: { user: 'u-60' } });
    for (const [index, amount] of [2_000_000, 2_000_000, 700_000].entries())
      await pay(`kept-${index}`, 'u-61', amount);
    await post('confirm', { orderId: 'kept-0', subjects: { user: 'u-61' } });
    await seated({}, async ({ page, open }) => {
      await open('/near?rule=user-day&kind=user');
      const list = page.getByRole('table', { name: 'Near a limit' });
      const rowOf = (user: string) => list.getByRole('row').filter({ hasText: user });
      await rowOf('u-60').waitFor();
      const cellsOf = async (user: string) =>
        (await rowOf(user).getByRole('cell').allInnerTexts()).map((text) =>
          text.replaceAll(/\s+/g, ' '),
        );
      expect(await cellsOf('u-61')).toEqual([
        ...['user u-61', 'user-day', '94% 3%', '¥20,000.00 1', '¥27,000.00 2'],
        ...['¥50,000.00 100 payments', '80% by Mar 3, 12:00', 'Mar 4, 00:00'],
      ]);
      expect((await cellsOf('u-60')).slice(0, 7)).toEqual([
        ...['user u-60', 'user-day', '20% 1%', '¥0.00 0', '¥10,000.00 1'],
        ...['¥50,000.00 100 payments', '100% by Mar 3, 12:00'],
      ]);
      const users = await list.getByRole('link', { name: /^user / }).allInnerTexts();
      expect(users.indexOf('user u-61')).toBeLessThan(users.indexOf('user u-60'));
    });
    await seated({ width: 400 }, async ({ page, open }) => {
      await open('/near?rule=user-day&kind=user');
      const entry = page.getByRole('rowgroup').filter({ hasText: 'u-61' });
      await entry.getByText('¥27,000.00').waitFor();
      const heightOf = async () => (await entry.boundingBox())?.height;
      await expect.poll(heightOf, { timeout: 10_000 }).toBeLessThan(62);
    });
  });

  it('says where payments do not write it, and when it was compared with all sums', async () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'bin', 'headroom.mjs'), 'near', '--scan'],
      {
        env: {
          ...process.env,
          ...{ MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: databaseName },
        },
        encoding: 'utf8',
      },
    );
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    await seated({}, async ({ page, open }) => {
      await open('/near?share=0.5');
      await page.getByText(/^Last compared with all sums: \w+ \d+, \d+:/).waitFor();
      await page.route('**/v1/near?*', async (route) => {
        const near = (await (await route.fetch()).json()) as object;
        return route.fulfill({ json: { ...near, kept: false, scannedAt: null } });
      });
      await open('/near?share=0.5');
      await page.getByText('Payments do not update this list here (NEAR=off).').waitFor();
      await page.getByText('Nobody has run a scan yet.').waitFor();
    });
  });
});

/** Puts an override of a user's as somebody, and gives the answer. */
async function overridden(user: string, rule: string, body: object, by = 'jim@example.com') {
  const response = await patient(`${url}/v1/subjects/user/${user}/overrides/${rule}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-actor': by },
    body: JSON.stringify({ reason: 'given', ...body }),
  });
  return (await response.json()) as {
    readonly proposal?: { readonly id: string };
    readonly overrides?: readonly { readonly max: object }[];
  }; // one of the two
}

/** The cells of the table that says what a change does over time, without its times. */
async function effectIn(place: Locator): Promise<readonly (readonly string[])[]> {
  const table = place.getByRole('table').filter({ hasText: 'When' });
  await table.waitFor();
  const rows = await table.getByRole('row').all();
  const texts = rows.slice(1).map(async (row) => row.getByRole('cell').allInnerTexts());
  return Promise.all(texts);
}

describe('a raise for a day above a lower maximum', () => {
  const [lower, higher] = ['¥10,000.00 · 100 payments', '¥80,000.00 · 100 payments'];
  const over = [
    [lower, higher],
    [lower, lower],
  ];

  it('is told before it is sent, to whoever decides, and as it lies above the other', async () => {
    await overridden('u-50', 'user-day', { max: { amount: 1_000_000 } });
    await seated({ person: 'jane@example.com' }, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-50&do=override&rule=user-day');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New maximum amount').fill('80000');
      await dialog.getByLabel('New maximum amount').blur();
      expect(await effectIn(dialog)).toEqual(over);
      await dialog.getByText('It needs a second person.').waitFor();
      await dialog.getByLabel('Reason').fill('a house');
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText('This needs a second person').waitFor();
      expect(await effectIn(dialog)).toEqual(over);
    });
    await seated({ person: 'joe@example.com' }, async ({ page, open }) => {
      await open('/approvals');
      const row = page.getByRole('rowgroup').filter({ hasText: 'a house' });
      await row.getByRole('cell', { name: `${lower} → ${higher}` }).waitFor();
      await row.getByRole('cell', { name: 'at the approval' }).waitFor();
      await row.getByRole('cell', { name: 'Mar 4, 12:00', exact: true }).waitFor();
      await row.getByRole('button', { name: 'Look at it' }).click();
      expect(await effectIn(row)).toEqual(over);
      await row.getByRole('button', { name: 'Approve' }).click();
      const asks = page.getByRole('dialog');
      await asks.getByText(`${lower} becomes ${higher}`).waitFor();
      await asks.getByText('until Mar 4, 12:00').first().waitFor();
      expect(await effectIn(asks)).toEqual(over);
      await asks.getByLabel('Reason').fill('spoken to');
      await asks.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Approved. This is what holds:').waitFor();
      await open('/subject?kind=user&id=u-50');
      const terms = page.getByRole('region', { name: 'Own terms' });
      const [below, above] = ['¥10,000.00', '¥80,000.00'].map((hasText) =>
        terms.getByRole('listitem').filter({ hasText }),
      );
      await below?.getByText('below another one').waitFor();
      await above?.getByText('in force').waitFor();
      const limit = page.getByRole('rowgroup').filter({ hasText: 'user-day' }).first();
      await limit.getByText(lower).waitFor();
      await limit.getByRole('cell', { name: '¥80,000.00 a day 100 payments' }).waitFor();
      await limit.getByText('own maximum instead of ¥50,000.00 · 100 payments').waitFor();
      await above?.getByRole('button', { name: 'End own maximum' }).click();
      const dialog = page.getByRole('dialog');
      expect(await effectIn(dialog)).toEqual([
        [higher, lower],
        [lower, lower],
      ]);
      await dialog.getByLabel('Reason').fill('over');
      await dialog.getByRole('button', { name: 'End it' }).click();
      await dialog.getByText('It holds for every check from now on').waitFor();
    });
    const terms = await patient(`${url}/v1/subjects/user/u-50/terms`);
    expect(await terms.json()).toMatchObject({
      overrides: [{ max: { amount: 1_000_000 }, inForce: true, until: null }],
    });
  });

  it('keeps the amount where the count alone is changed', async () => {
    await overridden('u-51', 'user-day', { max: { amount: 1_000_000 } });
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-51&do=override&rule=user-day');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New maximum count').fill('5');
      await dialog.getByLabel('New maximum count').blur();
      expect(await effectIn(dialog)).toEqual([
        [lower, '¥10,000.00 · 5 payments'],
        [lower, lower],
      ]);
    });
  });

  it('begins later after a delay, which starts with the approval', async () => {
    const { proposal } = await overridden('u-52', 'user-day', {
      ...{ max: { amount: 8_000_000 }, effectiveAfter: 'PT24H' },
    });
    await seated({}, async ({ page, open }) => {
      await open(`/approvals?open=${proposal?.id}`);
      await page.getByText('It begins 24 hours after the approval').waitFor();
      await page.getByText('decide by Mar 10, 12:00').first().waitFor();
      const row = page.getByRole('rowgroup').filter({ hasText: 'u-52' });
      await row.getByRole('cell', { name: 'Mar 4, 12:00', exact: true }).waitFor();
      await row.getByRole('cell', { name: 'no end', exact: true }).waitFor();
      const before = '¥50,000.00 · 100 payments';
      const later = [
        [before, before],
        [before, higher],
      ];
      const look = page.locator('.look');
      expect(await effectIn(look)).toEqual(later);
      await look.getByRole('button', { name: 'Approve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('spoken to');
      await dialog.getByRole('button', { name: 'Approve' }).click();
      await dialog.getByText('Approved. This is what holds:').waitFor();
      expect(await effectIn(dialog)).toEqual(later);
    });
  });

  it('of a maximum by attribute says what each value has now, and what the rule has', async () => {
    const by = { by: 'tier', gold: 9_000_000, else: 4_000_000 };
    const window = { unit: 'day', timeZone: 'UTC' };
    const rule = { per: ['wallet'], currency: 'CNY', window, max: { amount: by, count: 50 } };
    await patient(`${url}/v1/rules/by-tier`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      body: JSON.stringify({ rule }),
    });
    const all = 'tier: gold ¥90,000.00, all others ¥40,000.00 · 50 payments';
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=wallet&id=w-1&do=override&rule=by-tier');
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`Now: ${all}`).waitFor();
      await dialog.getByLabel('New maximum amount').fill('100');
      await dialog.getByLabel('Reason').fill('lower');
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText('It holds for every check from now on').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText(`own maximum instead of ${all}`).waitFor();
    });
  });

  it('of a single payment is told in its currency', async () => {
    const { proposal } = await overridden('u-53', 'single', { max: { amount: 3_000_000 } });
    await seated({}, async ({ page, open }) => {
      await open(`/approvals?open=${proposal?.id}`);
      expect(await effectIn(page.locator('.look'))).toEqual([['¥20,000.00', '¥30,000.00']]);
    });
  });
});

describe('what if', () => {
  it('says of each rule what it allows, and which refuses', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/what-if?subjects=user:u-74&amount=2000001&currency=CNY&type=PAYMENT');
      const rule = page.getByRole('rowgroup').filter({ hasText: 'Per transaction' });
      await rule.getByText('at least ¥0.01').waitFor();
      await rule.getByRole('cell', { name: '¥20,000.00 each payment' }).waitFor();
      await rule.getByText('Refuses', { exact: true }).waitFor();
    });
  });

  it('says how much would pass of a payment that takes what fits', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/what-if?subjects=user:u-74&amount=2000001&least=1&currency=CNY&type=PAYMENT');
      await page.getByText('It would hold a part of the amount: ¥20,000.00').waitFor();
      await expect.poll(() => page.getByLabel('Least amount').inputValue()).toMatch(/0\.01/);
    });
  });

  it('draws what is asked in the bar, up to the maximum and beyond', async () => {
    await seated({}, async ({ page, open }) => {
      const drawn = async (rule: string) => {
        const bar = page.getByRole('meter', { name: `${rule} Amount` });
        const style = await bar.locator('.asked').getAttribute('style');
        return [style, await bar.locator('.end').count()];
      };
      await open('/what-if?subjects=user:u-74&amount=2000000&currency=CNY&type=PAYMENT');
      await page.getByText('It would be allowed').waitFor();
      expect(await drawn('single')).toEqual(['width: 100%;', 0]);
      expect(await drawn('user-day')).toEqual(['width: 40%;', 0]);
      await open('/what-if?subjects=user:u-74&amount=10000000&currency=CNY&type=PAYMENT');
      await page.getByText('It would be refused').waitFor();
      expect(await drawn('user-day')).toEqual(['width: 100%;', 1]);
    });
  });
});

describe('an amount that is typed', () => {
  it.each([
    { currency: 'HUF', more: {}, typed: '1250', minor: 125_000, text: 'HUF 1,250.00' },
    { currency: 'IQD', more: {}, typed: '1250', minor: 1_250_000, text: 'IQD 1,250.000' },
    {
      currency: 'USDT',
      more: { digits: 6 },
      typed: '80.5',
      minor: 80_500_000,
      text: '80.500000 USDT',
    },
  ])('of $currency is stored in minor units of ISO 4217, or of the rules', async (row) => {
    const { currency, more, typed, minor, text } = row;
    const id = `day-${currency.toLowerCase()}`;
    const window = { unit: 'day', timeZone: 'UTC' };
    const rule = { per: ['user'], currency, ...more, window, max: { amount: 900_000_000 } };
    const made = await patient(`${url}/v1/rules/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      body: JSON.stringify({ rule }),
    });
    expect(made.status).toBe(201);
    await seated({}, async ({ page, open }) => {
      await open(`/subject?kind=user&id=u-54&do=override&rule=${id}`);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New maximum amount').fill(typed);
      await dialog.getByLabel('Reason').fill('lower');
      await dialog.getByText(text).waitFor();
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText('It holds for every check from now on').waitFor();
    });
    const terms = await patient(`${url}/v1/subjects/user/u-54/overrides/${id}`);
    expect(await terms.json()).toMatchObject({ overrides: [{ max: { amount: minor }, currency }] });
  });
});

describe('an amount that may mean two things', () => {
  it('changes no maximum, and is asked about', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-58&do=override&rule=user-day');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Now:').first().waitFor(); // the rule is there, and its currency
      await dialog.getByLabel('New maximum count').fill('7');
      await dialog.getByLabel('Reason').fill('lower');
      await dialog.getByLabel('New maximum amount').fill('1,5');
      await dialog.getByText('“1,5” was not taken. Write 1.5 or 1,500.').waitFor();
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText('“1,5” was not taken. Write 1.5 or 1,500.').waitFor();
    });
    const terms = await patient(`${url}/v1/subjects/user/u-58/terms`);
    expect(await terms.json()).toMatchObject({ overrides: [] });
    await seated({}, async ({ page, open, asked }) => {
      await open('/what-if');
      await page.getByLabel('Subjects').fill('user:u-58');
      await page.getByLabel('Amount', { exact: true }).fill('1,5');
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByText('“1,5” was not taken').waitFor();
      expect(asked()).not.toContain('/v1/check');
    });
  });
});

describe('a freeze that is over', () => {
  it('is none: the subject may be frozen, and not released', async () => {
    await seated({}, async ({ page, open }) => {
      await page.route('**/v1/subjects/user/u-55/terms', async (route) => {
        const terms = (await (await route.fetch()).json()) as object;
        const by = { kind: 'local', id: 'local' };
        const at = '2026-01-01T00:00:00.000Z';
        const stretch = { from: at, until: '2026-01-02T00:00:00.000Z', inForce: false };
        return route.fulfill({ json: { ...terms, freeze: { at, by, reason: 'old', ...stretch } } });
      });
      await open('/subject?kind=user&id=u-55');
      const terms = page.getByRole('region', { name: 'Own terms' });
      await terms.getByText('This subject has no terms of its own').waitFor();
      await page.getByRole('button', { name: 'Freeze', exact: true }).waitFor();
    });
  });
});

describe('a proposal', () => {
  it('that was decided is told as it was asked for, not by what holds since', async () => {
    const change = async (amount: number) =>
      (await (
        await patient(`${url}/v1/subjects/user/u-33/overrides/user-day`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json', 'x-actor': 'jim@example.com' },
          body: JSON.stringify({ max: { amount }, reason: 'decided' }),
        })
      ).json()) as { readonly proposal: { readonly id: string } }; // more than the rule allows
    const { proposal } = await change(7_000_000);
    await patient(`${url}/v1/proposals/${proposal.id}/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-actor': 'joe@example.com' },
      body: JSON.stringify({ reason: 'spoken to' }),
    });
    await change(1_000_000);
    await seated({}, async ({ page, open }) => {
      await open(`/approvals?state=approved&open=${proposal.id}`);
      const look = page.locator('.look').getByRole('table');
      await look.getByRole('columnheader', { name: 'Asked for' }).waitFor();
      expect(await look.getByRole('columnheader').count()).toBe(2);
      expect(await look.getByText('¥10,000.00').count()).toBe(0);
      expect(await look.getByText('¥50,000.00').count()).toBe(0);
    });
  });

  it('is withdrawn, not approved, by its author, whom the login alone names', async () => {
    await patient(`${url}/v1/subjects/user/u-32/overrides/user-day`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-actor': 'jim@example.com' },
      body: JSON.stringify({ max: { amount: 7_000_000 }, reason: 'behind a login' }),
    });
    await seated({}, async ({ page, open }) => {
      await page.route('**/console.json', (route) =>
        route.fulfill({ json: { api: '/', signIn: 'login' } }),
      );
      await page.route('**/v1/**', (route) =>
        route.continue({ headers: { ...route.request().headers(), 'x-actor': 'Jim@Example.com' } }),
      );
      await open('/approvals');
      await page.getByTitle('Signed in as Jim@Example.com').waitFor();
      const row = page.getByRole('rowgroup').filter({ hasText: 'behind a login' });
      await row.getByRole('button', { name: 'Look at it' }).click();
      await row.getByRole('button', { name: 'Withdraw' }).waitFor();
      expect(await row.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    });
  });
});

describe('a service in trouble', () => {
  it.each([429, 503])('that answers %d for a while is asked again', async (status) => {
    await seated({}, async ({ page, open }) => {
      let asked = 0;
      await page.route('**/v1/usage?*', async (route) => {
        asked += 1;
        if (asked > 2) return route.continue();
        return route.fulfill({ status, headers: { 'retry-after': '0' }, body: '{}' });
      });
      await open('/subject?kind=user&id=u-1');
      await page.getByRole('meter').first().waitFor();
      expect(asked).toBe(3);
    });
  });

  it('whose answers stay away leaves what was read, and is asked again by hand', async () => {
    await seated({}, async ({ page, open, context }) => {
      await open('/rules');
      await page.getByRole('link', { name: 'Daily limit user-day', exact: true }).waitFor();
      await page.waitForTimeout(3_000); // by then every screen is loaded
      await context.setOffline(true);
      await page.getByRole('link', { name: 'Near a limit' }).click();
      await page.getByText('No answer. The connection may be lost').first().waitFor();
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });
  });
});

describe('a part of the page that cannot be loaded', () => {
  it('leaves the rest, and says what to do', async () => {
    await seated({}, async ({ page, open }) => {
      await page.route('**/assets/drawing-*.js', (route) => route.abort());
      await open('/subject?kind=user&id=u-1');
      await page.getByText('This part of the page could not be loaded').waitFor();
      await page.getByRole('meter').first().waitFor();
      await page.getByText('As a table').waitFor();
    });
  });
});

describe('a freeze that comes while a dialog is open', () => {
  const freeze = async (user: string) =>
    patient(`${url}/v1/subjects/user/${user}/freeze`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-actor': 'jim@example.com' },
      body: JSON.stringify({ reason: 'stolen' }),
    });
  const FROZEN = 'Frozen: every new payment is refused.';

  it('is told before a change is sent, and by its answer', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-56&do=override&rule=user-day');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New maximum amount').fill('100');
      await dialog.getByLabel('Reason').fill('lower');
      expect(await dialog.getByText(FROZEN).count()).toBe(0);
      await freeze('u-56');
      await dialog.getByText(FROZEN).waitFor();
      await dialog.getByText('stolen').waitFor();
      await dialog.getByText('were changed while this was open').waitFor();
      await dialog.getByRole('button', { name: 'Read again' }).click();
      await dialog.getByText('were changed while this was open').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText('It holds for every check from now on').waitFor();
      await dialog.getByText(FROZEN).waitFor();
    });
  });

  it('is told to whoever approves, before the decision', async () => {
    const { proposal } = await overridden('u-57', 'user-day', { max: { amount: 8_000_000 } });
    await seated({ person: 'joe@example.com' }, async ({ page, open }) => {
      await open(`/approvals?open=${proposal?.id}`);
      const look = page.locator('.look');
      await look.getByRole('button', { name: 'Approve' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByText(FROZEN).count()).toBe(0);
      await freeze('u-57');
      await dialog.getByText(FROZEN).waitFor();
      await page.keyboard.press('Escape');
      await look.getByText(FROZEN).waitFor();
    });
  });
});

describe('two who change at once', () => {
  it('are told of one another, and nothing is lost', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-12&do=override&rule=user-day');
      await page.getByLabel('New maximum amount').fill('100');
      await patient(`${url}/v1/subjects/user/u-12/overrides/user-day`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-actor': 'jim@example.com' },
        body: JSON.stringify({ max: { amount: 20_000 }, reason: 'meanwhile' }),
      });
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('a smaller one');
      await dialog.getByLabel('For how long').selectOption('forEver');
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText('TERMS_CHANGED').waitFor();
      await dialog.getByRole('button', { name: 'Read again' }).click();
      await dialog.getByText('TERMS_CHANGED').waitFor({ state: 'detached' });
      await dialog.getByText('Now: ¥200.00').waitFor();
      await dialog.getByRole('button', { name: 'Change', exact: true }).dblclick();
      await dialog.getByText('It holds for every check from now on').waitFor();
    });
    const changes = await patient(`${url}/v1/subjects/user/u-12/changes`);
    expect(await changes.json()).toMatchObject({
      changes: [{ reason: 'a smaller one' }, { reason: 'meanwhile' }],
      next: null,
    });
  });

  it('find that a rule was saved once where the answer was lost', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-24h&edit=1');
      await page.getByLabel('Maximum amount').fill('70000');
      await page.getByLabel('Reason').fill('lost once');
      await page.getByText('keeps its sum').waitFor();
      let attempts = 0;
      await page.route('**/v1/rules/user-24h', async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        attempts += 1;
        if (attempts > 1) return route.continue();
        await route.fetch(); // saved, and its answer is lost
        return route.abort('connectionreset');
      });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      expect(attempts).toBe(2);
    });
    const versions = await patient(`${url}/v1/rules/user-24h/versions`);
    expect(await versions.json()).toMatchObject({ versions: [{ reason: 'lost once' }, {}] });
  });
});

describe('before anything is shown', () => {
  it.each(LOOKS)('in $lang, $scheme, the name is asked, and axe finds nothing', async (look) => {
    await seated({ ...look, person: undefined }, async ({ page, open }) => {
      await open(`/subject?lang=${look.lang}`);
      await page.getByRole('textbox').fill('jim\u202E');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('textbox').fill('王小明');
      await page.keyboard.press('Enter');
      await page.getByText('王小明').waitFor();
    });
  });

  it.each([
    { lang: 'en', says: 'The console could not start' },
    { lang: 'zh', says: '控制台无法启动' },
  ])('a file that is missing is named, in $lang', async ({ lang, says }) => {
    await seated({}, async ({ page, open }) => {
      await page.route('**/console.json', (route) => route.fulfill({ status: 404, body: '' }));
      await open(`/subject?lang=${lang}`);
      await page.getByRole('heading', { name: says }).waitFor();
      await page.getByText('console.json: HTTP 404').waitFor();
    });
  });
});

describe('a list', () => {
  it('is longer than a page, and ends', async () => {
    await Promise.all(
      Array.from({ length: 45 }, (_, index) => pay(`long-${index}`, 'u-15', 9_000_000)),
    );
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-15&decision=refused');
      const list = page.getByRole('region', { name: 'Last payments' });
      await list.getByText('20 entries').waitFor();
      await list.getByRole('button', { name: 'Show more' }).click();
      await list.getByText('40 entries').waitFor();
      await list.getByRole('button', { name: 'Show more' }).dblclick();
      await list.getByText('45 entries').waitFor();
      await list.getByText('End of the list').waitFor();
      expect(await list.getByRole('link', { name: /^long-/ }).count()).toBe(45);
    });
  });
});

describe('a subject whose id no address can hold', () => {
  it('has its limits, and says how the rest is found', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=..');
      await page.getByText('Daily limit').first().waitFor();
      const told = page.getByText('Ask somebody who has the command line: headroom terms');
      await told.nth(1).waitFor();
      expect(await told.count()).toBe(2);
      expect(await page.getByText('invoke the function').count()).toBe(0);
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByRole('dialog').getByText('headroom terms').waitFor();
    });
  });
});

describe('the field in the bar', () => {
  it('leads to a subject, an order and a rule by the keyboard alone, and writes nothing down', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/near');
      await page.getByRole('heading', { level: 1 }).waitFor();
      const field = page.getByRole('textbox', { name: 'Look up an order, a subject or a rule' });
      await page.keyboard.press('/');
      await page.keyboard.type('user:u-1');
      await page.getByRole('search').getByRole('link', { name: 'user u-1' }).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'user u-1' }).waitFor();
      expect(await field.inputValue()).toBe('');
      await page.keyboard.press('/');
      await page.keyboard.type('order-1');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'order-1' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('单日累计');
      await page.getByRole('search').getByRole('link', { name: 'user-day-trial' }).waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
      await field.focus();
      const here = page.getByRole('search').locator('a:focus');
      do await page.keyboard.press('ArrowDown');
      while ((await here.innerText()) !== 'user-day');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'user-day', exact: true }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'order-1' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'user u-1' }).waitFor();
      expect(await page.evaluate('Object.keys(localStorage).length')).toBe(0);
      expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['headroom.person']);
    });
  });

  it('leaves a slash alone where somebody writes', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-1&do=freeze');
      await page.getByLabel('Reason').focus();
      await page.keyboard.type('a/b');
      expect(await page.getByLabel('Reason').inputValue()).toBe('a/b');
    });
  });
});

describe('a long name', () => {
  const name = `pay-0198f2c4-7d1e-7abc-9e55-${'0'.repeat(60)}-the-end`;

  it('is cut in the middle for eyes, and whole where it is pointed at, read or copied', async () => {
    await pay(name, 'u-43', 9_000_000);
    await seated({ width: 400 }, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-43');
      const link = page.getByRole('link', { name, exact: true });
      const { width = 400 } = (await link.boundingBox()) ?? {};
      expect(width).toBeLessThan(240);
      expect(await link.getByTitle(name).count()).toBe(1);
      await link.selectText();
      expect(await page.evaluate('getSelection().toString()')).toBe(name);
    });
  });

  it('hides no sign that nobody sees', async () => {
    const hidden = `${'a'.repeat(40)}\u202E${'b'.repeat(40)}`;
    await seated({ width: 400 }, async ({ page, open }) => {
      await open(`/subject?kind=user&id=${encodeURIComponent(hidden)}`);
      await page.getByRole('heading', { level: 1 }).getByText('U+202E').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    });
  });
});

describe('the rules', () => {
  it('are lines of what, for whom, how much, over what, and how often they refused today', async () => {
    await pay('too-much', 'u-44', 9_000_000);
    const { refusals } = (await (
      await patient(`${url}/v1/summary?kind=user&zone=Asia/Shanghai`)
    ).json()) as {
      readonly refusals: readonly { readonly rule: string; readonly count: number }[];
    };
    const count = String(refusals.find(({ rule }) => rule === 'single')?.count);
    await seated({}, async ({ page, open }) => {
      await open('/rules');
      const row = page.getByRole('rowgroup').filter({ hasText: 'Per transaction' });
      await row.getByRole('cell', { name: '¥20,000.00', exact: true }).waitFor();
      await row.getByText('at least ¥0.01 and at most ¥20,000.00 in one payment').waitFor();
      const minute = page.getByRole('rowgroup').filter({ hasText: 'Payments per minute' });
      expect((await minute.getByRole('cell').allInnerTexts()).slice(1, 4)).toEqual([
        ...['user', '20 payments', 'a minute Asia/Shanghai'],
      ]);
      await row.getByRole('link', { name: count, exact: true }).click();
      await page.getByRole('heading', { name: 'Checks refused by single' }).waitFor();
    });
  });
});

describe('the way back', () => {
  it('leads out of a dialog and into it, and every screen has its own address', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/subject?kind=user&id=u-1');
      await page.getByRole('button', { name: 'Freeze' }).click();
      await page.getByRole('dialog').waitFor();
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goForward();
      await page.getByRole('dialog').waitFor();
      await page.reload();
      await page.getByRole('dialog').waitFor();
    });
  });

  it.each([
    { hash: '/subject?kind=constructor&id=x', says: 'INVALID_REQUEST' },
    { hash: '/what-if?subjects=user:u-1&amount=abc&currency=CNY', says: 'INVALID_REQUEST' },
    { hash: '/refusals?zone=Mars', says: 'INVALID_REQUEST' },
    { hash: '/refusals?date=soon', says: 'INVALID_REQUEST' },
    { hash: '/subject?kind=user&id=u-1&show=user-minute', says: 'Its windows are too short' },
    { hash: '/subject?kind=user&id=u-1&do=override&rule=single', says: 'headroom override' },
    { hash: '/payment?order=..', says: 'Look for the payment in Refusals' },
    { hash: '/subject?kind=user&id=u-1&do=override&rule=no', says: 'No rule of this name' },
  ])('from a hostile address $hash is a sentence, said once', async ({ hash, says }) => {
    await seated({}, async ({ page, open }) => {
      await open(hash);
      await page.getByText(says).first().waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByText(says).count()).toBe(1);
    });
  });
});
