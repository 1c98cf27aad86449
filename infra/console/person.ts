import { validateHeaderName, type IncomingMessage } from 'node:http';
import { isPerson, PERSON_EXPECTED } from '../../lib/shared/actor.ts';
import { UsageError } from '../../cli/command-error.ts';

/** Who acts: whom the login names in a header, or always the one who started it. */
export type Person =
  | {
      readonly kind: 'header';
      readonly name: string;
      /** The origin of the login, as a browser sees it: `https://limits-console.example.com`. */
      readonly origin: string;
    }
  | { readonly kind: 'always'; readonly person: string };

/** The person of a request; undefined where nobody is named, or in a way that cannot be kept. */
export function personOf({ headers }: IncomingMessage, person: Person): string | undefined {
  if (person.kind === 'always') return person.person;
  const named = headers[person.name.toLowerCase()];
  if (typeof named !== 'string') return undefined;
  // Node reads each byte as one character, and logins write UTF-8.
  const text = Buffer.from(named, 'latin1').toString('utf8');
  return isPerson(text) ? text : undefined;
}

/** The words of the command line that say who acts. */
export type PersonWords = {
  readonly personHeader?: string;
  readonly at?: string;
  readonly by?: string;
};

/** Reads who acts. @throws UsageError where nobody, or somebody else twice, is named */
export function readPerson({ personHeader, at, by }: PersonWords): Person {
  if ((personHeader === undefined) === (by === undefined))
    throw new UsageError('Who acts? Name either --person-header or --by.');
  if ((personHeader === undefined) !== (at === undefined))
    throw new UsageError(
      '--person-header and --at belong together: the header of the login, and its address.',
    );
  if (by === undefined)
    return {
      kind: 'header',
      name: readHeaderName(personHeader ?? ''),
      origin: readAddress('--at', at ?? '').origin,
    };
  if (isPerson(by)) return { kind: 'always', person: by };
  throw new UsageError(`--by is ${JSON.stringify(by)}, expected ${PERSON_EXPECTED}.`);
}

function readHeaderName(name: string): string {
  try {
    validateHeaderName(name);
    return name;
  } catch {
    throw new UsageError(
      `--person-header is ${JSON.stringify(name)}, expected the name of a header, such as X-Forwarded-Email.`,
    );
  }
}

/** Reads an address of an option. @throws UsageError where it is none */
export function readAddress(name: string, text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (/^https?:$/.test(url.protocol) && url.search + url.hash + url.username === '') return url;
  }
  throw new UsageError(
    `${name} is ${JSON.stringify(text)}, expected an address, such as https://limits.example.com.`,
  );
}
