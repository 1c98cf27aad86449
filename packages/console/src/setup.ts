import { HeadroomClient } from '@headroom-limits/client';
import type { Application } from '@headroom-limits/client';
import { fetchDirectly } from './data/signed-out.ts';

/** The content of console.json, the one file that a deployment writes. */
export type Setup = {
  /** Where the API is: everything before /v1, from the console's own address. */
  readonly api: string;
  /** `name`: the person types a name. `login`: the gateway before the API knows it. */
  readonly signIn: 'name' | 'login';
  /** Who signs calls. Only `npm start` says it, for its own sample application. */
  readonly app?: Application;
};

/** Reads console.json. @throws Error where it is not there or is something else */
export async function readSetup(): Promise<Setup> {
  const response = await fetch('./console.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`console.json: HTTP ${response.status}, expected 200`);
  const given = (await response.json()) as Partial<Setup>;
  if (typeof given.api !== 'string' || (given.signIn !== 'name' && given.signIn !== 'login'))
    throw new Error('console.json needs "api", and "signIn": "name" or "login"');
  return given as Setup;
}

/** A person waits for the answer: a longer wait is shown, and the call may be sent again. */
const DEADLINE_MS = 12_000;

/** Makes the one client of the console. */
export function clientOf({ api, app }: Setup): HeadroomClient {
  const url = new URL(api, document.baseURI).href.replace(/\/$/, '');
  return new HeadroomClient({
    url,
    app,
    fetch: fetchDirectly,
    deadlineMs: DEADLINE_MS,
    attemptMs: 5_000,
    delayMaxMs: 2_000,
  });
}
