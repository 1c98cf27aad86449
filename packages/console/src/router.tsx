import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Missing } from './ui/part.tsx';
import { Shell, NotFound } from './shell.tsx';

/**
 * The part of the address after `#` holds all that is shown: any static host serves it, and ids of
 * customers reach no host's log. Everything in it is text.
 */

/** What a URL may say; each screen reads its own. */
type Asked = Readonly<Partial<Record<string, string>>>;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const texts = (given: Record<string, unknown>): Asked =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

const SCREENS = {
  subject: () => import('./screens/subject.tsx'),
  refusals: () => import('./screens/refusals.tsx'),
  near: () => import('./screens/near.tsx'),
  approvals: () => import('./screens/approvals.tsx'),
  rules: () => import('./screens/rules.tsx'),
  backtests: () => import('./screens/backtests.tsx'),
  'what-if': () => import('./screens/what-if.tsx'),
  payment: () => import('./screens/payment.tsx'),
  health: () => import('./screens/health.tsx'),
} as const;

/** What screens load when it is needed, but for charts. */
const PARTS = [
  () => import('./screens/rules/rule-editor.tsx'),
  () => import('./screens/rules/rule-trial.tsx'),
  () => import('./screens/subject/change-dialog.tsx'),
  () => import('./screens/approvals/decision-dialog.tsx'),
] as const;

/** Loads every screen before it is needed: where the connection is lost, the page is whole. */
export function loadTheRest(): void {
  for (const load of [...Object.values(SCREENS), ...PARTS]) load().catch(() => undefined); // it is loaded again when it is needed
}

const screens = Object.entries(SCREENS).map(([name, load]) =>
  createRoute({
    getParentRoute: () => root,
    path: name,
    validateSearch: texts,
    component: lazyRouteComponent(load, 'Screen'),
  }),
);

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: texts,
  beforeLoad: ({ search }) => {
    // eslint-disable-next-line only-throw-error -- the router's way to lead elsewhere
    throw redirect({ to: '/subject', search });
  },
});

/** Makes the router of one signed-in person. */
export function makeRouter() {
  return createRouter({
    routeTree: root.addChildren([start, ...screens]),
    history: createHashHistory(),
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const said = Object.entries(search).filter(
        ([, value]) => value !== undefined && value !== '',
      );
      const text = new URLSearchParams(
        said.map(([name, value]) => [name, String(value)]),
      ).toString();
      return text === '' ? '' : `?${text}`;
    },
    defaultPreload: 'intent',
    defaultErrorComponent: Missing,
    scrollRestoration: true,
  });
}
