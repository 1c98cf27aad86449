import { createRoot } from 'react-dom/client';
import './look/base.css';
import './look/parts.css';
import { Console } from './console.tsx';
import { readSetup } from './setup.ts';
import { languageAsked, readingOf } from './words/words.tsx';

const place = document.getElementById('console');
if (place === null) throw new Error('index.html has no place for the console');
const root = createRoot(place);
readSetup().then(
  (setup) => {
    root.render(<Console setup={setup} />);
  },
  (error: unknown) => {
    const { say, locale } = readingOf(languageAsked());
    document.documentElement.lang = locale;
    root.render(
      <main className="alone" role="alert">
        <h1>{say('app.setupFailed')}</h1>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <p className="fine">{say('app.setupHelp')}</p>
      </main>,
    );
  },
);
