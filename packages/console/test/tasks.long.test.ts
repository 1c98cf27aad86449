import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Desk } from './desk.ts';
import { NOON, patient, post, startDesk } from './desk.ts';
import { visit } from './visitor.ts';

/** What support and risk people do most: each as a person does it, from the start page, with no more clicks and keys than that needs. */

let desk: Desk;

const pay = (orderId: string, user: string, amount: number, at?: string) =>
  post(
    desk.url,
    'check',
    { orderId, type: 'PAYMENT', subjects: { user }, amount, currency: 'CNY' },
    at === undefined ? {} : { 'x-headroom-now': at },
  );

beforeAll(async () => {
  desk = await startDesk();
  await pay('B-1', 'u-9', 2_000_000, '2026-02-20T02:00:00Z');
  await pay('B-2', 'u-9', 1_000_000, '2026-02-20T02:01:00Z');
  await pay('A-1', 'u-1', 2_000_000);
  await pay('A-2', 'u-1', 2_000_000);
  await pay('A-3', 'u-1', 1_500_000);
}, 240_000);

afterAll(async () => {
  await desk.stop();
});

/** Counts what somebody does. A choice is two clicks. */
function handsOn(page: Page) {
  const did = { clicks: 0, keys: 0 };
  return {
    page,
    did,
    async click(target: Locator): Promise<void> {
      did.clicks += 1;
      await target.click();
    },
    async choose(target: Locator, value: string): Promise<void> {
      did.clicks += 2;
      await target.selectOption(value);
    },
    async press(key: string): Promise<void> {
      did.keys += 1;
      await page.keyboard.press(key);
    },
    async type(text: string): Promise<void> {
      did.keys += text.length;
      await page.keyboard.type(text);
    },
  };
}
type Hands = ReturnType<typeof handsOn>;

/** Lets somebody begin at the start page. */
async function begins(
  story: (hands: Hands) => Promise<void>,
  person = 'jane@example.com',
): Promise<void> {
  const visitor = await visit(desk.browser, desk.url, { now: NOON, person });
  try {
    await visitor.open('/');
    await visitor.page.getByRole('heading', { level: 1 }).waitFor();
    await story(handsOn(visitor.page));
    await visitor.leave();
  } finally {
    await visitor.context.close();
  }
}

describe('from the start page', () => {
  it('somebody sees by 5 keys why a payment was refused', async () => {
    await begins(async (hands) => {
      const { page } = hands;
      await hands.press('/');
      await hands.type('A-3');
      await hands.press('Enter');
      await page.getByText('user-day allows at most ¥50,000.00 a day in Asia/Shanghai').waitFor();
      expect(hands.did).toEqual({ clicks: 0, keys: 5 });
    });
  });

  it('a customer has more until tomorrow after 2 clicks of one person, and 4 of a second one', async () => {
    await begins(async (hands) => {
      const { page } = hands;
      await hands.press('/');
      await hands.type('user:u-1');
      await hands.press('Enter');
      const limit = page.getByRole('rowgroup').filter({ hasText: 'Daily limit user-day' }).first();
      await hands.click(limit.getByRole('button', { name: 'Change' }));
      await page.locator('input:focus').waitFor(); // the dialog is there
      await hands.type('60000');
      await hands.click(page.getByLabel('Reason'));
      await hands.type('a wedding');
      await hands.press('Enter');
      await page.getByText('It waits until somebody else approves it.').waitFor();
      expect(hands.did).toEqual({ clicks: 2, keys: 25 });
    });
    await begins(async (hands) => {
      const { page } = hands;
      await hands.click(page.getByRole('link', { name: 'Approvals' }));
      await hands.click(page.getByRole('button', { name: 'Look at it' }));
      await hands.click(page.getByRole('button', { name: 'Approve' }));
      const dialog = page.getByRole('dialog');
      await dialog.locator('input:focus').waitFor();
      await hands.type('as agreed');
      await hands.click(dialog.getByRole('button', { name: 'Approve' }));
      await page.getByText('Approved. This is what holds:').waitFor();
      expect(hands.did).toEqual({ clicks: 4, keys: 9 });
    }, 'joe@example.com');
    const terms = await patient(`${desk.url}/v1/subjects/user/u-1/terms`);
    expect(await terms.json()).toMatchObject({
      overrides: [
        {
          rule: 'user-day',
          max: { amount: 6_000_000 },
          until: expect.stringMatching(/^2026-03-04T/) as string,
        },
      ],
    });
  });

  it('somebody sees by 1 click who is near a limit now', async () => {
    await begins(async (hands) => {
      const { page } = hands;
      await hands.click(page.getByRole('link', { name: 'Near a limit' }));
      await page.getByRole('table').getByRole('link', { name: 'user u-1' }).first().waitFor();
      expect(hands.did).toEqual({ clicks: 1, keys: 0 });
    });
  });

  it('somebody sees by 3 clicks what half of a limit would have refused last month', async () => {
    await begins(async (hands) => {
      const { page } = hands;
      await hands.click(page.getByRole('link', { name: 'Rules' }));
      await hands.click(page.getByRole('link', { name: 'Daily limit user-day' }));
      await hands.click(page.getByRole('button', { name: 'Ask with half the maximum' }));
      await page.getByText('would have newly refused 1 order of 1 subject: ¥10,000.00').waitFor();
      expect(hands.did).toEqual({ clicks: 3, keys: 0 });
    });
  });

  it('half of a limit is tried beside it after 8 clicks, and 3 more say what it would refuse from now on', async () => {
    await begins(async (hands) => {
      const { page } = hands;
      await hands.click(page.getByRole('link', { name: 'Rules' }));
      await hands.click(page.getByRole('button', { name: 'New rule' }));
      await hands.click(page.getByLabel('Name of the rule'));
      await hands.type('half-a-day');
      await hands.click(page.getByLabel('Maximum amount'));
      await hands.type('25000');
      await hands.choose(page.getByLabel('Mode'), 'shadow');
      await page.getByText('at most ¥25,000.00 a day in Asia/Shanghai, per user').waitFor();
      await hands.click(page.getByRole('button', { name: 'Save' }));
      await hands.click(page.getByRole('button', { name: 'Close' }));
      expect(hands.did).toEqual({ clicks: 8, keys: 15 });
      await hands.click(page.getByRole('link', { name: 'What if' }));
      await hands.click(page.getByLabel('Subjects'));
      await hands.type('user:u-2');
      await hands.click(page.getByLabel('Amount', { exact: true }));
      await hands.type('30000');
      await hands.press('Enter');
      await page.getByText('On trial, these would refuse: half-a-day').waitFor();
      expect(hands.did).toEqual({ clicks: 11, keys: 29 });
    });
  });
});
