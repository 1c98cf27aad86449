import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { callerOf } from './data/queries.ts';
import { isSignedOut } from './data/signed-out.ts';
import { Search } from './search.tsx';
import { useSession } from './session.tsx';
import { Mark } from './ui/mark.tsx';
import { Failure } from './ui/panel.tsx';
import { Given, langOf } from './ui/text.tsx';
import { localZone } from './ui/written.ts';
import { useReading } from './words/words.tsx';

/** Every screen, in the order of the navigation. */
const SCREENS = [
  ['subject', 'nav.subject'],
  ['refusals', 'nav.refusals'],
  ['near', 'nav.near'],
  ['approvals', 'nav.approvals'],
  ['rules', 'nav.rules'],
  ['what-if', 'nav.whatIf'],
  ['payment', 'nav.payment'],
  ['health', 'nav.health'],
] as const;

/** Screens that others lead to. */
const BESIDE = [['backtests', 'test.list']] as const;

/** What stands around every screen. */
export function Shell() {
  const { say, locale } = useReading();
  const { pathname, href } = useLocation();
  const [, word] = [...SCREENS, ...BESIDE].find(([name]) => pathname === `/${name}`) ?? [];
  // It is asked with the first screen: every button waits for it.
  const caller = useQuery(callerOf(useSession()));
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.documentElement.lang = locale;
    const title = word === undefined ? undefined : say(word);
    document.title = title === undefined ? 'Headroom' : `${title} · Headroom`;
  }, [locale, say, word]);
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    // Where there is no room for all of them, this one is seen.
    const here = navigation.current?.querySelector('.active');
    here?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname, locale]);
  return (
    <>
      <header className="bar">
        <a
          className="skip"
          href="#main"
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          {say('app.skip')}
        </a>
        <span className="brand">
          <Mark /> {say('app.name')}
        </span>
        <nav ref={navigation} aria-label={say('app.navigation')}>
          {SCREENS.map(([name, text]) => (
            <Link
              key={name}
              to={`/${name}`}
              search={langOf}
              activeOptions={{ includeSearch: false }}
            >
              {say(text)}
            </Link>
          ))}
        </nav>
        {/* Somewhere else, nothing is looked for. */}
        <Search key={href} />
        <Who />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {isSignedOut(caller.error) ? <SignedOut error={caller.error} /> : <Outlet />}
      </main>
      <footer>{say('app.times', { zone: localZone() })}</footer>
    </>
  );
}

function Who() {
  const { say, language } = useReading();
  const session = useSession();
  const { signOut } = session;
  // Behind a login only the API knows who it is.
  const { data: caller } = useQuery(callerOf(session));
  const actor = session.actor ?? caller?.by.person;
  const navigate = useNavigate();
  const other = language === 'en' ? 'zh' : 'en';
  return (
    <div className="who">
      {actor !== undefined && (
        <span title={say('app.signedInAs', { name: actor })}>
          <Given text={actor} />
        </span>
      )}
      {signOut !== undefined && (
        <button type="button" className="plain" onClick={signOut}>
          {say('app.signOut')}
        </button>
      )}
      <button
        type="button"
        className="plain"
        title={say('app.languageLabel')}
        onClick={() =>
          void navigate({ to: '.', search: (before: object) => ({ ...before, lang: other }) })
        }
      >
        <span lang={other}>{say('app.language')}</span>
      </button>
    </div>
  );
}

/** Nobody is signed in any more, or never was: no screen would have an answer. */
function SignedOut({ error }: { readonly error: unknown }) {
  const { say } = useReading();
  const { setup } = useSession();
  return (
    <>
      <h1>{say('signedOut.title')}</h1>
      <p className="lead">
        {say(setup.signIn === 'login' ? 'signedOut.login' : 'signedOut.local')}
      </p>
      <Failure
        error={error}
        retry={say('signedOut.reload')}
        onRetry={() => {
          location.reload();
        }}
      />
    </>
  );
}

/** A path without a page. */
export function NotFound() {
  const { say } = useReading();
  return (
    <>
      <h1>{say('app.notFound')}</h1>
      <p className="lead">
        <Link to="/subject" search={langOf}>
          {say('nav.subject')}
        </Link>
      </p>
    </>
  );
}
