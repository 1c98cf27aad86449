import { useBlocker } from '@tanstack/react-router';
import { useReading } from '../words/words.tsx';
import type { AskedUrl } from './asked.ts';

/** Asks whoever leaves before what they wrote is saved; another language is no other page. */
export function useLeaving(isUnsaved: boolean): void {
  const { say } = useReading();
  useBlocker({
    disabled: !isUnsaved,
    shouldBlockFn({ current, next }) {
      const [here, there] = [current, next].map(({ pathname, search }) => {
        const { id, edit } = search as AskedUrl; // the router's search is text
        return JSON.stringify([pathname, id, edit]);
      });
      // The browser asks in the same way where the page is closed.
      return here !== there && !globalThis.confirm(say('edit.leave'));
    },
  });
}
