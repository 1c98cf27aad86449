import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { rulesOf } from './data/queries.ts';
import { useMay } from './data/rights.ts';
import { useSession } from './session.tsx';
import type { Place } from './ui/places.ts';
import { placesOf } from './ui/places.ts';
import { langOf, OrderLink, RuleLink, SubjectLink } from './ui/text.tsx';
import { useReading } from './words/words.tsx';

/** The key that leads to the field from anywhere. */
const KEY = '/';

/** One field for orders, subjects and rules. What was looked for is in the browser's history, and nowhere else. */
export function Search() {
  const { say, language } = useReading();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const asked = text.trim();
  const isAsked = useMay('rules:read') && asked !== '';
  const { data } = useQuery({ ...rulesOf(useSession(), language), enabled: isAsked });
  const places = asked === '' ? [] : placesOf(asked, data?.rules ?? []);
  useKeys(field);
  return (
    <form
      role="search"
      className="search"
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = places;
        if (first === undefined) return;
        void navigate({
          to: first.to,
          search: (before: object) => ({ ...langOf(before), ...first.search }),
        });
      }}
    >
      <input
        ref={field}
        aria-label={say('search.label')}
        placeholder={say('search.example')}
        aria-keyshortcuts={KEY}
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
        }}
      />
      {places.length > 0 && (
        <ul>
          {places.map((place) => (
            <li key={JSON.stringify(place)}>
              <PlaceLink place={place} />
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

function PlaceLink({ place: { to, search } }: { readonly place: Place }) {
  const { say } = useReading();
  if (to === '/payment') {
    return (
      <>
        <span className="kind">{say('nav.payment')}</span> <OrderLink orderId={search.order} />
      </>
    );
  }
  if (to === '/subject') return <SubjectLink {...search} />;
  return (
    <>
      <span className="kind">{say('field.rule')}</span> <RuleLink id={search.id} />
    </>
  );
}

/** `/` leads to the field wherever nobody writes; arrows lead from it to the places, and back; Escape leaves it. */
function useKeys(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const form = field.current?.form;
    const focus = (event: KeyboardEvent, element: HTMLElement | null | undefined): void => {
      event.preventDefault();
      element?.focus();
    };
    const look = (event: KeyboardEvent): void => {
      const here = document.activeElement;
      const isWritten =
        here?.closest('input, select, [contenteditable], .yaml, [role=dialog]') !== null;
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === KEY && isPlain && !isWritten) focus(event, field.current);
      if (form?.contains(here) !== true) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const stops = [...form.querySelectorAll<HTMLElement>('input, a')];
      const next = stops.findIndex((stop) => stop === here) + (step ?? 0);
      if (step !== undefined) focus(event, stops[Math.max(0, next)]);
      if (event.key === 'Escape' && here instanceof HTMLElement) here.blur();
    };
    document.addEventListener('keydown', look);
    return () => {
      document.removeEventListener('keydown', look);
    };
  }, [field]);
}
