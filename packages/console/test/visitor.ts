import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Somebody who sits before the console, and what must not happen to them. */
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly open: (hash: string) => Promise<void>;
  /** Paths of the API that were asked since the page was opened. */
  readonly asked: () => readonly string[];
  /** Fails where the policy was broken, something threw, a cookie was set or another host was asked. */
  readonly leave: () => Promise<void>;
};

/** How a visitor looks at the console. */
export type Look = {
  /** Nobody has said a name where it is undefined. */
  readonly person?: string | undefined;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  /** The time that the browser has at first. Default: this machine's. */
  readonly now?: Date | undefined;
  readonly zone?: string;
};

/** Opens a browser of somebody's own. */
export async function visit(
  browser: Browser,
  url: string,
  { width = 1280, scheme = 'light', now, zone = 'Asia/Shanghai', ...look }: Look = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    ...{ viewport: { width, height: 900 }, colorScheme: scheme, locale: 'en' },
    timezoneId: zone,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  if (now !== undefined) await page.clock.install({ time: now });
  const broken: string[] = [];
  const asked: string[] = [];
  page.on('pageerror', (error) => broken.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) broken.push(message.text());
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (target.origin !== url) broken.push(`asked ${request.url()}`);
    if (target.pathname.startsWith('/v1/')) asked.push(target.pathname);
  });
  const person = 'person' in look ? look.person : 'jane@example.com';
  if (person !== undefined)
    await page.addInitScript((name) => {
      // A page of nothing has no storage.
      if (location.protocol === 'http:') sessionStorage.setItem('headroom.person', name);
    }, person);
  return {
    page,
    context,
    async open(hash) {
      asked.length = 0;
      await page.goto('about:blank');
      await page.goto(`${url}/console/#${hash}`);
    },
    asked: () => [...asked],
    async leave() {
      expect(broken).toEqual([]);
      expect(await context.cookies()).toEqual([]);
      await context.close();
    },
  };
}

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

/** What axe finds wrong with a page, each with the first place. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // It is installed when a test begins.
  const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  await page.evaluate(readFileSync(axe, 'utf8'));
  const found = await page.evaluate<readonly Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
