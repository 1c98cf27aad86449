import { useEffect, useState } from 'react';
import { isPerson } from '../../../lib/shared/actor.ts';
import { Mark } from './ui/mark.tsx';
import { languageAsked, readingOf } from './words/words.tsx';

/** Asks for a name, where nobody else knows who it is. */
export function SignIn({ onName }: { readonly onName: (name: string) => void }) {
  const { say, locale } = readingOf(languageAsked());
  const [name, setName] = useState('');
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    document.documentElement.lang = locale;
    document.title = say('app.name');
  }, [locale, say]);
  return (
    <main className="alone">
      <Mark />
      <h1>{say('signIn.title')}</h1>
      <p>{say('signIn.lead')}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const given = name.trim();
          setWrong(!isPerson(given));
          if (isPerson(given)) onName(given);
        }}
      >
        <label className="field">
          <span className="label">{say('signIn.name')}</span>
          <input
            autoFocus
            autoComplete="username"
            maxLength={256}
            value={name}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'name-wrong' : undefined}
            onChange={({ target }) => {
              setName(target.value);
            }}
          />
        </label>
        {isWrong && (
          <p id="name-wrong" className="wrong" role="alert">
            {say('signIn.wrong')}
          </p>
        )}
        <button type="submit" className="button primary">
          {say('signIn.submit')}
        </button>
      </form>
    </main>
  );
}
