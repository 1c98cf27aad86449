import { useNavigate, useSearch } from '@tanstack/react-router';

/** The fields of the URL, all of them text. */
export type AskedUrl = Readonly<Record<string, string | undefined>>;

/** Reads the URL, and changes it: what is undefined goes, what is not named stays. */
export function useAsked(): readonly [AskedUrl, (change: AskedUrl, isStep?: boolean) => void] {
  const asked = useSearch({ strict: false }) as AskedUrl; // the router's search is text: see router.tsx
  const navigate = useNavigate();
  const change = (wish: AskedUrl, isStep = true): void => {
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...wish }),
      replace: !isStep,
      resetScroll: false,
    });
  };
  return [asked, change];
}
