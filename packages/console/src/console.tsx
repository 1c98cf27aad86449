import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { DigitsProvider } from './data/digits.tsx';
import { CALLER } from './data/queries.ts';
import { isRightless, isSignedOut } from './data/signed-out.ts';
import { loadTheRest, makeRouter } from './router.tsx';
import type { Session } from './session.tsx';
import { rememberedPerson, SessionProvider } from './session.tsx';
import type { Setup } from './setup.ts';
import { clientOf } from './setup.ts';
import { SignIn } from './sign-in.tsx';

/** How long an answer stays fresh. A page that is opened later reads it again. */
const FRESH_MS = 2_000;

/** By then the first screen is there. */
const REST_MS = 2_000;

/** The client repeats by itself; what it gives up is shown at once, and without a network too. */
const QUERIES = { retry: false, networkMode: 'always', staleTime: FRESH_MS } as const;

/** The whole console, once the person has given a name. */
export function Console({ setup }: { readonly setup: Setup }) {
  const [person, setPerson] = useState(rememberedPerson.read);
  const client = useMemo(() => clientOf(setup), [setup]);
  const asksName = setup.signIn === 'name';
  if (asksName && person === undefined)
    return (
      <SignIn
        onName={(name) => {
          rememberedPerson.write(name);
          setPerson(name);
        }}
      />
    );
  const signOut = () => {
    rememberedPerson.write(undefined);
    setPerson(undefined);
  };
  const session: Session = {
    client,
    setup,
    actor: asksName ? person : undefined,
    signOut: asksName ? signOut : undefined,
  };
  return <SignedIn key={person} session={session} />;
}

/** Where an answer says that somebody is signed out, or may do less, it is asked again who they are. */
function makeQueries(): QueryClient {
  const onError = (error: unknown, asked?: { readonly queryKey: readonly unknown[] }): void => {
    if (asked?.queryKey[0] === CALLER || !(isSignedOut(error) || isRightless(error))) return;
    void queries.invalidateQueries({ queryKey: [CALLER] });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError: (error) => {
        onError(error);
      },
    }),
    defaultOptions: { queries: QUERIES, mutations: { networkMode: 'always' } },
  });
  return queries;
}

/** What one person has read is not shown to the next. */
function SignedIn({ session }: { readonly session: Session }) {
  const [queries] = useState(makeQueries);
  const [router] = useState(makeRouter);
  useEffect(() => {
    const timer = setTimeout(loadTheRest, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <SessionProvider value={session}>
      <QueryClientProvider client={queries}>
        <DigitsProvider>
          <RouterProvider router={router} />
        </DigitsProvider>
      </QueryClientProvider>
    </SessionProvider>
  );
}
