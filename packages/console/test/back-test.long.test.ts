import type { BacktestAnswer } from '@headroom-limits/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BACKTEST_ID, BACKTESTS_EXAMPLES } from '../../../tools/openapi/backtests-examples.ts';
import type { Desk } from './desk.ts';
import { NOON, post, startDesk } from './desk.ts';
import type { Look, Visitor } from './visitor.ts';
import { violationsOf, visit } from './visitor.ts';

let desk: Desk;

/** Checks an order of yuan at an instant, and confirms it where it is paid. */
async function pay(orderId: string, user: string, amount: number, at: string, isPaid = true) {
  const subjects = { user };
  const headers = { 'x-headroom-now': at };
  const order = { orderId, type: 'PAYMENT', subjects, amount, currency: 'CNY' };
  await post(desk.url, 'check', order, headers);
  if (isPaid) await post(desk.url, 'confirm', { orderId, subjects }, headers);
}

beforeAll(async () => {
  desk = await startDesk();
  await pay('b-1', 'u-b1', 2_000_000, '2026-02-20T02:00:00Z');
  await pay('b-2', 'u-b1', 1_000_000, '2026-02-20T03:00:00Z');
  await pay('b-3', 'u-b1', 400_000, '2026-02-20T04:00:00Z');
  await pay('b-4', 'u-b2', 2_000_000, '2026-02-21T02:00:00Z');
  await pay('b-5', 'u-b2', 2_000_000, '2026-02-21T03:00:00Z', false);
}, 240_000);

afterAll(async () => {
  await desk.stop();
});

async function seated(look: Look, story: (visitor: Visitor) => Promise<void>): Promise<void> {
  const visitor = await visit(desk.browser, desk.url, { now: NOON, ...look });
  try {
    await story(visitor);
    await visitor.leave();
  } finally {
    await visitor.context.close();
  }
}

/** The example of an answer, otherwise than it stands. */
const answer = (more: Partial<BacktestAnswer>): BacktestAnswer => ({
  ...(BACKTESTS_EXAMPLES.findBacktest.answer as BacktestAnswer), // an example of it
  ...more,
});

/** Answers for the back-test of the examples, whose state nobody can wait for. */
async function answered(page: Page, read: () => BacktestAnswer): Promise<void> {
  await page.route(`**/v1/backtests/${BACKTEST_ID}`, (route) =>
    route.fulfill({ json: read(), status: 200 }),
  );
  await page.route(`**/v1/backtests/${BACKTEST_ID}/orders?*`, (route) =>
    route.fulfill({ json: BACKTESTS_EXAMPLES.backtestOrders.answer }),
  );
}

const TESTED = `/rules?id=user-day&test=${BACKTEST_ID}`;

describe('a back-test of half the maximum', () => {
  it('is asked by one key, and says who would have been refused, and how they ended', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-day');
      await page.getByRole('button', { name: 'Ask with half the maximum' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('would have newly refused 2 orders of 2 subjects').waitFor();
      await page.getByText('¥30,000.00 (1 of them paid)').waitFor();
      expect(await page.getByLabel('Maximum amount').inputValue()).toBe('¥25,000.00');
      await page.getByText('The rules of the time explain 100% of these decisions.').waitFor();
      const orders = page.getByRole('table', { name: 'Orders that the draft decides otherwise' });
      await orders.getByText('b-5').waitFor();
      await orders.getByText('b-2').waitFor();
      await page.reload();
      await page.getByText('would have newly refused 2 orders of 2 subjects').waitFor();
      expect(await page.getByLabel('Maximum amount').inputValue()).toBe('¥25,000.00');
      await page.getByLabel('Show').selectOption('newly allowed');
      await page.getByText('There is no such order.').waitFor();
      await page.getByLabel('Maximum amount').fill('26000');
      await page.getByText('the result of another draft than the one above').waitFor();
      expect(page.url()).toContain('decided=');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('another draft than the one above').waitFor({ state: 'detached' });
      expect(page.url()).not.toContain('decided=');
      await page.getByRole('link', { name: 'All back-tests' }).click();
      await page.getByRole('cell', { name: 'done' }).first().waitFor();
      await page.getByRole('link', { name: /^Open/ }).first().click();
      await page.getByText('Tried: user-day, changed so:').waitFor();
      await page.getByRole('link', { name: 'To the rule' }).click();
      await page.getByText('would have newly refused 2 orders of 2 subjects').waitFor();
    });
  });

  it('is asked of a draft in the editor, and taken over from the page of the rule', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-day&edit=1');
      await page.getByLabel('Maximum amount').fill('25000');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText(/would have newly refused 2 orders/).waitFor();
      await page.getByLabel('Maximum amount').fill('50000');
      await page.getByText('the result of another draft than the one above').waitFor();
      await page.getByRole('button', { name: 'Write this into the fields' }).click();
      expect(await page.getByLabel('Maximum amount').inputValue()).toBe('¥25,000.00');
      await page.getByText('another draft than the one above').waitFor({ state: 'detached' });
    });
  });

  it('of days without a check says so, and of a past that is gone, too', async () => {
    await seated({}, async ({ page, open }) => {
      await open('/rules?id=user-day&test=0000');
      await page.getByText('This back-test is gone. Headroom keeps it for 30 days.').waitFor();
      const last = page.getByRole('group', { name: 'Last day' });
      await last.getByRole('spinbutton').first().focus();
      await page.keyboard.type('02022026');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('the audit has no check from').waitFor();
    });
  });
});

describe('a back-test', () => {
  it('shows how far it is, is stopped, and says so', async () => {
    const running = answer({
      ...{ state: 'running', result: null, progress: { rows: 9_204, percent: 42 } },
    });
    await seated({}, async ({ page, open }) => {
      let isStopped = false;
      await answered(page, () => running);
      await page.route(`**/v1/backtests/${BACKTEST_ID}`, (route) => {
        isStopped ||= route.request().method() === 'DELETE';
        return route.fulfill({ json: isStopped ? { ...running, state: 'stopped' } : running });
      });
      await open(TESTED);
      await page.getByText('42% is read: 9,204 rows.').waitFor();
      expect(await page.getByRole('progressbar').getAttribute('value')).toBe('42');
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('It was stopped, and has no result.').waitFor();
    });
  });

  it('that runs is looked at until it is done', async () => {
    await seated({}, async ({ page, open }) => {
      let looks = 0;
      const waiting = answer({ state: 'waiting', result: null });
      await answered(page, () => (++looks < 3 ? waiting : answer({})));
      await open(TESTED);
      await page.getByText('It waits until somebody works on it.').waitFor();
      await page.clock.runFor(5_000);
      await page.getByText('newly refused 3 orders of 3 subjects: ¥4,800.00').waitFor();
      const seen = looks;
      await page.clock.runFor(10_000);
      expect(looks).toBe(seen);
    });
  });

  it('that failed says why, and one before a change of the rules is older', async () => {
    await seated({}, async ({ page, open }) => {
      const problem = { code: 'TOO_LARGE', detail: 'more than 500000 documents' };
      await answered(page, () => answer({ state: 'failed', result: null, problem, revision: 0 }));
      await open(TESTED);
      await page.getByText('The back-test failed. more than 500000 documents').waitFor();
      await page.getByText('Older: the rules were changed after this was asked.').waitFor();
    });
  });

  it('that differs too much from the past is read with care, for reasons that are named', async () => {
    const { result } = answer({});
    if (result === null) throw new Error('the example has a result');
    const { control, missing } = result;
    const knockOn = { differences: 138, share: 0.0238 };
    const careful = answer({
      result: {
        ...result,
        control: { ...control, knockOn },
        missing: { ...missing, lostRows: 3 },
      },
    });
    await seated({}, async ({ page, open }) => {
      await answered(page, () => careful);
      await open(TESTED);
      await page.getByText('The rules of the time explain 97.62% of these decisions.').waitFor();
      await page.getByText('Read with care. The audit does not tell:').waitFor();
      await page.getByText('Lost rows, at least: 3.').waitFor();
      await page.getByLabel('Judged').selectOption('directly');
      await page.getByText('The rules of the time explain 100% of these decisions.').waitFor();
      await page.getByText('Read with care.').waitFor();
    });
  });

  it('of a rule that is not stored leads to no page of a rule', async () => {
    await seated({}, async ({ page, open }) => {
      await answered(page, () => answer({ draft: { put: { id: 'unstored', per: ['user'] } } }));
      await open(`/backtests?test=${BACKTEST_ID}`);
      await page.getByText('Tried: unstored, which is not stored.').waitFor();
      expect(await page.getByRole('link', { name: 'To the rule' }).count()).toBe(0);
    });
  });

  it('that only newly allows orders begins with these', async () => {
    const { result } = answer({});
    const [currency] = result?.currencies ?? [];
    if (result === null || currency === undefined) throw new Error('the example has a result');
    const { knockOn } = currency;
    const none = { ...knockOn.newlyRefused, checks: 0, orders: 0 };
    const allowed = { ...knockOn.newlyAllowed, checks: 2, orders: 2 };
    const more = { checks: 3, amount: 7_500 };
    const ends = { ...knockOn, newlyRefused: none, newlyAllowed: allowed, more };
    const told = answer({ result: { ...result, currencies: [{ ...currency, knockOn: ends }] } });
    await seated({}, async ({ page, open }) => {
      await answered(page, () => told);
      await open(TESTED);
      await page.getByText('newly allowed 2 orders').waitFor();
      await page.getByText('more than recorded: 3 checks, ¥75.00 more in all').waitFor();
      expect(await page.getByLabel('Show').inputValue()).toBe('allowed');
    });
  });

  it('beside too many others is not begun, and leads to them', async () => {
    await seated({}, async ({ page, open }) => {
      const problem = {
        ...{ type: 'about:blank', title: 'Too many back-tests have not ended', status: 409 },
        ...{ code: 'TOO_MANY_BACKTESTS', detail: '3 back-tests have not ended', requestId: 'r-1' },
        ...{ retryable: false, errors: [] },
      };
      await page.route('**/v1/backtests', (route) =>
        route.fulfill({ json: problem, status: 409, contentType: 'application/problem+json' }),
      );
      await open('/rules?id=user-day');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      await page.getByText('3 back-tests have not ended').waitFor();
      expect(await page.getByRole('link', { name: 'All back-tests' }).count()).toBe(2);
    });
  });

  it.each(['usage:read', 'rules:write'])('needs the right %s, and says so', async (right) => {
    await seated({}, async ({ page, open }) => {
      await page.route('**/v1/caller', async (route) => {
        const response = await route.fetch();
        const told = (await response.json()) as { readonly rights: readonly string[] };
        const rights = told.rights.filter((each) => each !== right);
        await route.fulfill({ response, json: { ...told, rights } });
      });
      await open('/rules?id=user-day');
      await page.getByText(`It needs the right ${right}.`).waitFor();
      expect(await page.getByRole('button', { name: 'Ask', exact: true }).count()).toBe(0);
    });
  });
});

describe('every state of a back-test', () => {
  const STATES = ['waiting', 'running', 'done', 'failed', 'stopped'] as const;
  // prettier-ignore
  const LOOKS = [
    { scheme: 'light', width: 1280, lang: 'en', says: 'Tried: user-day' },
    { scheme: 'dark', width: 400, lang: 'zh', says: '回测内容：user-day' },
  ] as const;
  it.each(LOOKS.flatMap((look) => STATES.map((state) => ({ ...look, state }))))(
    '$state, $scheme, $width wide, in $lang, fits, and axe finds nothing',
    async ({ state, lang, scheme, width, says }) => {
      const told = answer({ state, ...(state === 'done' ? {} : { result: null }) });
      await seated({ scheme, width }, async ({ page, open }) => {
        await answered(page, () => told);
        await open(`${TESTED}&lang=${lang}`);
        await page.getByText(says).first().waitFor();
        if (state === 'done') await page.getByText('1600.00 CNY').first().waitFor();
        expect(await violationsOf(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      });
    },
  );
});
