import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { OWN_WRITES } from '../../../lib/mongo/client.ts';
import { endOf, startProgram, urlOf } from '../../../test/infra/start-program.ts';
import { startGivenClock } from '../../../test/support/given-clock.ts';
// It says what every run of the tests provides.
import type {} from '../../../test/support/global-setup.ts';
import { built, launch } from './browser.ts';

/** A Tuesday, noon in Shanghai: what is refused today stays on today's page. */
export const NOON = new Date('2026-03-03T04:00:00Z');

/** A console that somebody may sit before: a whole service on a database of its own, at noon. */
export type Desk = {
  /** Where the console's files are. */
  readonly folder: string;
  readonly url: string;
  readonly browser: Browser;
  readonly databaseName: string;
  readonly stop: () => Promise<void>;
};

/** Starts everything; raises need a second person. */
export async function startDesk(): Promise<Desk> {
  const databaseName = `console-${randomUUID().slice(0, 8)}`;
  const folder = await built();
  const program = startProgram({
    ...{ MONGODB_URI: inject('mongodbUri'), MONGODB_DATABASE: databaseName },
    ...{ FOUR_EYES: 'raises', CONSOLE: 'on', RULES_CACHE_SECONDS: '0' },
  });
  const [target, browser] = await Promise.all([urlOf(program), launch()]);
  const clock = await startGivenClock(target, NOON);
  return {
    ...{ folder, browser, databaseName, url: clock.url },
    async stop() {
      await browser.close();
      clock.stop();
      await endOf(program, (pid) => process.kill(pid, 'SIGINT'));
      const client = new MongoClient(inject('mongodbUri'), OWN_WRITES);
      await client.db(databaseName).dropDatabase();
      await client.close();
    },
  };
}

/** A connection that was idle may end just when it is used again: every call here may be repeated. */
export async function patient(target: string, init?: RequestInit): Promise<Response> {
  return fetch(target, init).catch(() => fetch(target, init));
}

/** Calls the API of a desk. */
export async function post(
  url: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const response = await patient(`${url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>; // an answer is an object
}
