import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Desk } from './desk.ts';
import { NOON, patient, startDesk } from './desk.ts';
import type { Visitor } from './visitor.ts';
import { visit } from './visitor.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await startDesk();
}, 240_000);

afterAll(async () => {
  await desk.stop();
});

const RULE = {
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 100_050 },
};

/** Makes a rule, and lets somebody edit it for as long as a story takes. */
async function edited(
  id: string,
  more: object,
  story: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const made = await patient(`${desk.url}/v1/rules/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify({ rule: { ...RULE, ...more } }),
  });
  expect(made.status).toBe(201);
  const visitor = await visit(desk.browser, desk.url, { now: NOON });
  try {
    await visitor.open(`/rules?id=${id}&edit=1`);
    await yamlOf(visitor.page).waitFor();
    await story(visitor);
    await visitor.leave();
  } finally {
    await visitor.context.close();
  }
}

const yamlOf = (page: Page) => page.getByRole('textbox', { name: 'Everything else, as YAML' });
const saveOf = (page: Page) => page.getByRole('button', { name: 'Save' });

async function rewrite(page: Page, change: (text: string) => string): Promise<void> {
  const text = await yamlOf(page).innerText();
  await yamlOf(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(change(text));
}

describe('the diff of a rule', () => {
  it('has each amount in the currency that it was in', async () => {
    await edited('other-currency', {}, async ({ page }) => {
      await rewrite(page, (text) => text.replace('CNY', 'KWD'));
      await page
        .getByRole('row', { name: 'changed Maximum amount ¥1,000.50 KWD 1,000.500' })
        .waitFor();
    });
  });

  it('has each amount with the digits that it had', async () => {
    const points = { currency: 'PTS', digits: 6, max: { amount: 80_500_000 } };
    await edited('other-digits', points, async ({ page }) => {
      await rewrite(page, (text) => text.replace('digits: 6', 'digits: 3'));
      await page
        .getByRole('row', { name: 'changed Maximum amount PTS 80.500000 PTS 80.500' })
        .waitFor();
    });
  });
});

describe('the effect of a change', () => {
  it('on a rule without a word for its mode begins with what it was', async () => {
    await edited('no-mode', {}, async ({ page }) => {
      await page.getByLabel('Mode').selectOption('shadow');
      await page.getByRole('row', { name: 'changed Mode enforced on trial' }).waitFor();
    });
  });

  it('is told with what is odd about the rule, which does not keep it from being saved', async () => {
    await edited('odd-currency', {}, async ({ page }) => {
      await rewrite(page, (text) => text.replace('CNY', 'RMB'));
      const told = page.getByRole('status').filter({ hasText: 'because its currency changed' });
      await told
        .getByText('odd-currency: ISO 4217 has no currency RMB. Did you mean CNY?')
        .waitFor();
      expect(await saveOf(page).isEnabled()).toBe(true);
      await rewrite(page, (text) => text.replace('RMB', 'CNY'));
      await page.getByText('Nothing is different.').waitFor();
      expect(await page.getByText('ISO 4217').count()).toBe(0);
    });
  });

  it('that resets a sum is wanted again where it is another', async () => {
    await edited('consent', {}, async ({ page }) => {
      const consent = page.getByLabel('The sum of a rule begins at zero. I want that.');
      await rewrite(page, (text) => text.replace('unit: day', 'unit: week'));
      await consent.click();
      expect(await consent.isChecked()).toBe(true);
      await page.getByLabel('Reason').fill('a week');
      expect(await consent.isChecked()).toBe(true);
      await rewrite(page, (text) => text.replace('CNY', 'USD'));
      await page.getByText('because its currency and window changed').waitFor();
      expect(await consent.isChecked()).toBe(false);
    });
  });
});

describe('a field of the editor', () => {
  it('of an amount keeps its cents where it is left while its currency is typed', async () => {
    await edited('cents', {}, async ({ page }) => {
      await rewrite(page, (text) => text.replace('CNY', 'C'));
      await page.getByLabel('Maximum amount').focus();
      await page.keyboard.press('Tab');
      await rewrite(page, (text) => text.replace('currency: C\n', 'currency: CNY\n'));
      await page.getByText('Nothing is different.').waitFor();
      expect(await page.getByLabel('Maximum amount').inputValue()).toBe('¥1,000.50');
    });
  });

  it('of an amount that may mean two things is asked for once more when the page was loaded again', async () => {
    await edited('unclear', {}, async ({ page }) => {
      await page.getByLabel('Maximum amount').fill('1,5');
      await page.getByText('“1,5” was not taken').waitFor();
      await page.getByRole('row', { name: 'changed Maximum amount ¥1,000.50 ?' }).waitFor();
      await page.reload();
      await page.getByText('Your unsaved changes are back.').waitFor();
      await page.getByText('Write the amount once more.').waitFor();
      expect(await page.getByText('Infinity').count()).toBe(0);
    });
  });

  it('of a time is wrong while a part of it is missing', async () => {
    await edited('half-typed', {}, async ({ page }) => {
      await page.getByLabel('Maximum count').fill('9');
      await page.getByText('keeps its sum').waitFor();
      const from = page.getByRole('group', { name: 'From', exact: true });
      await from.getByRole('spinbutton').first().focus();
      await page.keyboard.type('11022026');
      await page.getByText('1 mistake. It is named in its place.').waitFor();
      expect(await saveOf(page).isEnabled()).toBe(false);
      await page.keyboard.type('0930');
      await page.getByText('from Nov 2, 2026, 09:30 Asia/Shanghai').waitFor();
      await page.getByText('keeps its sum').waitFor();
      expect(await saveOf(page).isEnabled()).toBe(true);
    });
  });

  it('of a reason that is too long may be corrected', async () => {
    await edited('long-reason', {}, async ({ page }) => {
      await page.getByLabel('Reason').fill('x'.repeat(257));
      await page.getByLabel('Maximum count').fill('9');
      await page.getByText('keeps its sum').waitFor();
      await saveOf(page).click();
      await page.getByText('1 mistake. It is named in its place.').waitFor();
      await page.getByLabel('Reason').fill('shorter');
      await page.getByText('1 mistake. It is named in its place.').waitFor({ state: 'detached' });
      await saveOf(page).click();
      await page.getByText('Saved.').waitFor();
    });
  });
});

describe('what is written in the editor', () => {
  it('stays where the language is another, and is left only by those who say so', async () => {
    await edited('leaving', {}, async ({ page }) => {
      const asked: string[] = [];
      let leaves = false;
      page.on('dialog', async (dialog) => {
        asked.push(dialog.message());
        await (leaves ? dialog.accept() : dialog.dismiss());
      });
      await page.getByLabel('Maximum count').fill('19');
      await page.getByRole('button', { name: '中文' }).click();
      expect(await page.getByLabel('笔数上限').inputValue()).toBe('19');
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('link', { name: 'Health' }).click();
      await page.getByText('keeps its sum').waitFor();
      expect(await page.getByLabel('Maximum count').inputValue()).toBe('19');
      leaves = true;
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Edit' }).waitFor();
      const question = 'Your changes are not saved. Leave this page?';
      expect(asked).toEqual([question, question]);
    });
  });

  it('cannot be changed while it is saved, and is left without a question then', async () => {
    await edited('while-saved', {}, async ({ page }) => {
      const asked: string[] = [];
      page.on('dialog', async (dialog) => {
        asked.push(dialog.message());
        await dialog.dismiss();
      });
      const count = page.getByLabel('Maximum count');
      await count.fill('9');
      await page.getByText('keeps its sum').waitFor();
      const held: Route[] = [];
      await page.route('**/v1/rules/while-saved', (route) => void held.push(route));
      await saveOf(page).click();
      await page.getByText('Sending…').waitFor();
      await expect(count.fill('99', { timeout: 1_000 })).rejects.toThrow('Timeout');
      for (const route of held.splice(0)) await route.continue();
      await page.unroute('**/v1/rules/while-saved');
      await page.getByText('Saved.').waitFor();
      await expect(count.fill('99', { timeout: 1_000 })).rejects.toThrow('Timeout');
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText(/at most 9 payments/).waitFor();
      expect(asked).toEqual([]);
    });
  });

  it('is undone alone: what somebody else wrote meanwhile stays', async () => {
    await edited('undone', {}, async ({ page }) => {
      await page.getByLabel('Maximum count').fill('9');
      await page.getByText('keeps its sum').waitFor();
      await patient(`${desk.url}/v1/rules/undone`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': '*' },
        body: JSON.stringify({ rule: { ...RULE, title: { fr: 'Jour' } } }),
      });
      await saveOf(page).click();
      await page.getByRole('button', { name: 'Read again' }).click();
      await expect.poll(() => yamlOf(page).innerText()).toContain('fr: Jour');
      await yamlOf(page).focus();
      await page.keyboard.press('Control+z');
      expect(await yamlOf(page).innerText()).toContain('fr: Jour');
    });
  });

  it('stays where somebody else changed the same, and both are shown until one is chosen', async () => {
    await edited('both', {}, async ({ page }) => {
      await rewrite(page, (text) => `${text}title: { fr: Jour }`);
      await page.getByText('keeps its sum').waitFor();
      await patient(`${desk.url}/v1/rules/both`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': '*' },
        body: JSON.stringify({ rule: { ...RULE, title: { fr: 'Jours' } } }),
      });
      await saveOf(page).click();
      await page.getByRole('button', { name: 'Read again' }).click();
      const told = page.getByRole('alert').filter({ hasText: 'Somebody else changed this, too' });
      await told.getByText('fr: Jours').waitFor();
      expect(await yamlOf(page).innerText()).toContain('fr: Jour }');
      await told.getByRole('button', { name: 'Take theirs' }).click();
      await expect.poll(() => yamlOf(page).innerText()).toContain('fr: Jours');
      await told.waitFor({ state: 'detached' });
    });
  });

  it('is shown with all digits of an amount that both changed', async () => {
    const points = { currency: 'PTS', digits: 6, max: { amount: 80_500_000 } };
    await edited('digits-of-both', points, async ({ page }) => {
      await page.getByLabel('Maximum amount').fill('7');
      await page.getByText('keeps its sum').waitFor();
      const other = await patient(`${desk.url}/v1/rules/digits-of-both`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': '*' },
        body: JSON.stringify({ rule: { ...RULE, ...points, max: { amount: 80_400_001 } } }),
      });
      expect(other.status).toBe(200);
      await page.getByLabel('Maximum count').fill('9');
      await page.getByRole('button', { name: 'Read again' }).click();
      await page.getByText('80.400001', { exact: true }).waitFor();
    });
  });

  it('is there again when somebody has signed in whose session had ended, and goes when it is saved', async () => {
    await edited('signed-out', {}, async ({ page }) => {
      await page.getByLabel('Maximum count').fill('9');
      await page.getByText('keeps its sum').waitFor();
      await page.route('**/v1/**', (route) => route.fulfill({ status: 401, body: '' }));
      await page.getByLabel('Maximum count').fill('8');
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
      await page.unroute('**/v1/**');
      await page.getByRole('button', { name: 'Reload the page' }).click();
      await page.getByText('Your unsaved changes are back.').waitFor();
      expect(await page.getByLabel('Maximum count').inputValue()).toBe('8');
      await page.getByText('keeps its sum').waitFor();
      await saveOf(page).click();
      await page.getByText('Saved.').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Maximum count').waitFor();
      expect(await page.getByText('Your unsaved changes are back.').count()).toBe(0);
    });
  });

  it('is told of a change of the rule that waits for a second person', async () => {
    await edited('waiting', {}, async ({ page, open }) => {
      const more = await patient(`${desk.url}/v1/rules/waiting`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'if-match': '*' },
        body: JSON.stringify({ rule: { ...RULE, max: { amount: 200_000 } }, reason: 'more' }),
      });
      expect(more.status).toBe(202);
      await open('/rules?id=waiting&edit=1');
      await page.getByText('A change waits for a second person:').waitFor();
      await page.getByRole('link', { name: 'Rule waiting' }).waitFor();
      await open('/rules?id=user-day&edit=1');
      await yamlOf(page).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByText('A change waits for a second person:').count()).toBe(0);
    });
  });

  it.each(['1,5', '1,50', '1.500,00', '12,34,567'])(
    'is no amount where a comma parts no thousands: %s',
    async (typed) => {
      await edited(`comma-${typed.replaceAll(/\D/g, '')}`, {}, async ({ page }) => {
        const amount = page.getByLabel('Maximum amount');
        await amount.fill(typed);
        await page.getByText(`“${typed}” was not taken`).waitFor();
        await page.getByLabel('Reason').focus();
        await page.getByText('1 mistake. It is named in its place.').waitFor();
        expect(await amount.inputValue()).toBe('');
        expect(await saveOf(page).isEnabled()).toBe(false);
        await amount.fill('1,500.5');
        await page.getByText('at most ¥1,500.50 a day').waitFor();
        await page.getByText('was not taken').waitFor({ state: 'detached' });
      });
    },
  );

  it('of a new rule whose name is taken needs another name, and nothing is read again', async () => {
    await edited('taken', {}, async ({ page, open }) => {
      await open('/rules?edit=new');
      await page.getByLabel('Name of the rule').fill('taken');
      await page.getByLabel('Maximum amount').fill('100');
      await page.getByText('RULE_CHANGED').waitFor();
      expect(await page.getByRole('button', { name: 'Read again' }).count()).toBe(0);
      await page.getByLabel('Name of the rule').fill('free');
      await page.getByText('counts nothing', { exact: true }).waitFor();
      expect(await saveOf(page).isEnabled()).toBe(true);
    });
  });

  it('was not sent where nobody answers what it would change', async () => {
    await edited('unasked', {}, async ({ page }) => {
      await page.route('**/v1/rules/unasked**', (route) => route.abort());
      await page.getByLabel('Maximum count').fill('9');
      await page.getByText('No answer. The connection may be lost').waitFor();
      expect(await page.getByText('It is unknown whether the change was made').count()).toBe(0);
      expect(await saveOf(page).isEnabled()).toBe(false);
      await page.unroute('**/v1/rules/unasked**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('keeps its sum').waitFor();
    });
  });
});
