import type { HeadroomClient } from '@headroom-limits/client';
import { createContext, useContext } from 'react';
import type { Setup } from './setup.ts';

/** Who looks, and through what. */
export type Session = {
  readonly client: HeadroomClient;
  readonly setup: Setup;
  /** Sent as `X-Actor`; undefined where the login says who it is. */
  readonly actor: string | undefined;
  readonly signOut: (() => void) | undefined;
};

const SessionContext = createContext<Session | undefined>(undefined);

/** Gives the session to everything below. */
export const SessionProvider = SessionContext.Provider;

/** @throws Error outside of the console */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('there is no session here');
  return session;
}

const PERSON = 'headroom.person';

/** The name survives a reload of this tab, and no more. */
export const rememberedPerson = {
  read: (): string | undefined => sessionStorage.getItem(PERSON) ?? undefined,
  write: (name: string | undefined): void => {
    if (name === undefined) sessionStorage.removeItem(PERSON);
    else sessionStorage.setItem(PERSON, name);
  },
};
