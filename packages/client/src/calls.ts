/** A call as HTTP has it. */
export type Message = {
  readonly method: string;
  /** From `/v1` on. */
  readonly target: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Fields = Readonly<Record<string, unknown>>;

/** How the calls of one function go over HTTP, and how their answers are known. */
type CallRow = {
  /**
   * @param target `/v1/`, and the name of the function
   * @throws TypeError where an id cannot stand in a path
   */
  readonly via: (fields: Fields, target: string) => Message;
  /**
   * By what an answer is known to be that of its call: it has all members of one of these, and those with
   * `=` have this value. One alone may be anybody's, such as the `state` of OAuth.
   */
  readonly tells: readonly string[];
};

const REFUNDED = ['state=partlyRefunded repeated', 'state=refunded repeated'];

/**
 * The calls, by the names of their functions: `subjects` is that of all calls of terms, `rules` of all of
 * rules, `proposals` of all of proposals, `backtests` of all of back-tests, `history` of those that tell of the past.
 */
const CALLS = {
  check: {
    via: checking,
    tells: ['decision=refused repeated', 'decision=allowed repeated state'],
  },
  confirm: { via: posting, tells: ['state=confirmed repeated', ...REFUNDED] },
  rollback: { via: posting, tells: ['state=rolledBack repeated'] },
  refund: { via: posting, tells: REFUNDED },
  status: {
    via: ({ orderId, ...asked }) =>
      reading(asked, `/v1/transactions/${inPath('orderId', orderId)}`),
    tells: ['state history'],
  },
  usage: {
    via({ attributes = {}, ...asked }, target) {
      const said = Object.entries(attributes as Fields); // as the client's method takes it
      const named = Object.fromEntries(said.map(([name, value]) => [`attributes[${name}]`, value]));
      return asking(target, { ...asked, ...named }, ['attributes', 'stale']);
    },
    tells: ['subjects rules'],
  },
  near: { via: reading, tells: ['near kept'] },
  health: { via: reading, tells: ['worst findings'] },
  history: {
    via({ operation, ...asked }) {
      const [path = '', ...names] = HISTORY[operation as keyof typeof HISTORY].split(' ');
      return asking(path, asked, names);
    },
    tells: ['subjects transactions', 'subjects windows', 'date sums'],
  },
  rules: {
    via: rulesMessage,
    tells: ['revision rules', 'revision changes', 'version rule', 'id versions', 'proposal'],
  },
  subjects: {
    via: termsMessage,
    tells: ['subject overrides', 'subject changes', 'proposal'],
  },
  proposals: {
    via: (fields) => routedMessage(PROPOSALS, fields),
    tells: ['state decided', 'proposals', 'by rights'],
  },
  backtests: {
    via: (fields) => routedMessage(BACKTESTS, fields),
    tells: ['state progress', 'backtests', 'orders next'],
  },
  checks: { via: checking, tells: ['results'] },
  settlements: { via: posting, tells: ['results'] },
  record: { via: posting, tells: ['results'] },
} as const satisfies Readonly<Record<string, CallRow>>;

/** The calls, by the names of their functions. */
export type CallName = keyof typeof CALLS;

/** Writes a call as HTTP has it. @throws TypeError where an id cannot stand in a path */
export function messageOf(call: CallName, request: object): Message {
  return CALLS[call].via(request as Fields, `/v1/${call}`); // as the client's methods make it
}

/** Says whether JSON may be an answer of a call. A page for signing in is JSON, too: nobody is frozen by it. */
export function isAnswerOf(call: CallName, body: object): boolean {
  const has = (member: string): boolean => {
    const [name = '', value] = member.split('=');
    if (!Object.hasOwn(body, name)) return false;
    return value === undefined || (body as Fields)[name] === value;
  };
  return CALLS[call].tells.some((all) => all.split(' ').every(has));
}

/** A call whose body is its request as it is. */
function posting(fields: Fields, target: string): Message {
  return { method: 'POST', target, text: JSON.stringify(fields) };
}

/** A check on behalf of a person, perhaps. */
function checking(fields: Fields, target: string): Message {
  return messageWith('POST', target, fields, { headers: OF_PEOPLE });
}

/** A call whose query is its request as it is. */
function reading(fields: Fields, target: string): Message {
  return messageWith('GET', target, fields);
}

/** Each operation by its path, and what its query may have beside subjects. */
const HISTORY = {
  transactions: '/v1/transactions decision rule reason since until before limit',
  usageHistory: '/v1/usage/history rule zone last',
  summary: '/v1/summary',
} as const;

/** In a query each kind is a parameter of its own, which no other may be called by. */
function asking(path: string, fields: Fields, names: readonly string[]): Message {
  const { subjects = {}, ...asked } = fields;
  const kinds = subjects as Fields; // as the client's methods take it
  const both = names.find((name) => Object.hasOwn(kinds, name));
  if (both !== undefined)
    throw new TypeError(
      `${both} is a subject kind and a parameter, and a query cannot tell them apart: invoke the function directly`,
    );
  return messageWith('GET', path, asked, { subjects: kinds });
}

/** Each operation by its method and the end of its path. */
const TERMS: Fields = {
  terms: 'GET terms',
  changes: 'GET changes',
  findOverride: 'GET overrides/',
  override: 'PUT overrides/',
  endOverride: 'DELETE overrides/',
  freeze: 'PUT freeze',
  unfreeze: 'DELETE freeze',
};

function termsMessage({ operation, kind, id, rule, ...rest }: Fields): Message {
  const [method = '', end = ''] = String(TERMS[String(operation)]).split(' ');
  const ofRule = end.endsWith('/') ? inPath('rule', rule) : '';
  const path = `/v1/subjects/${inPath('kind', kind)}/${inPath('id', id)}/${end}${ofRule}`;
  return messageWith(method, path, rest);
}

const RULES: Fields = {
  list: 'GET',
  find: 'GET',
  versions: 'GET',
  put: 'PUT',
  delete: 'DELETE',
  replace: 'PUT',
};

function rulesMessage({ operation, id, ...rest }: Fields): Message {
  const one = id === undefined ? '' : `/${inPath('id', id)}`;
  const end = operation === 'versions' ? '/versions' : '';
  return messageWith(String(RULES[String(operation)]), `/v1/rules${one}${end}`, rest);
}

const PROPOSALS: Fields = {
  caller: 'GET /v1/caller',
  list: 'GET /v1/proposals',
  find: 'GET /v1/proposals/{id}',
  withdraw: 'DELETE /v1/proposals/{id}',
  approve: 'POST /v1/proposals/{id}/approve',
  reject: 'POST /v1/proposals/{id}/reject',
};

const BACKTESTS: Fields = {
  start: 'POST /v1/backtests',
  list: 'GET /v1/backtests',
  find: 'GET /v1/backtests/{id}',
  orders: 'GET /v1/backtests/{id}/orders',
  stop: 'DELETE /v1/backtests/{id}',
};

function routedMessage(routes: Fields, { operation, id, ...rest }: Fields): Message {
  const [method = '', path = ''] = String(routes[String(operation)]).split(' ');
  return messageWith(
    method,
    path.replace('{id}', () => inPath('id', id)),
    rest,
    { headers: operation === 'find' || operation === 'orders' ? HEADERS : OF_PEOPLE },
  );
}

/** Fields that a direct invocation has beside the others, and HTTP in a header. */
const HEADERS: Readonly<Record<string, string>> = {
  actor: 'X-Actor',
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
  language: 'Accept-Language',
};

/** A decision or a check has no condition: a header that nobody reads would make it look as if it had. */
const OF_PEOPLE = { actor: 'X-Actor' } as const;

type Own = NonNullable<Message['headers']>;

/** Fields stand in a header, in the body of a PUT or POST, or in a query, after its subjects. */
function messageWith(
  method: string,
  path: string,
  fields: Fields,
  { subjects = {}, headers: names = HEADERS }: { subjects?: Fields; headers?: Own } = {},
): Message {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const isHeader = ([name]: [string, unknown]): boolean => Object.hasOwn(names, name);
  const own = given.filter(isHeader).map(([name, value]) => [names[name], inHeader(name, value)]);
  const rest = given.filter((one) => !isHeader(one));
  const headers = own.length === 0 ? {} : { headers: Object.fromEntries(own) as Own };
  if (method === 'PUT' || method === 'POST')
    return { method, target: path, text: JSON.stringify(Object.fromEntries(rest)), ...headers };
  const asked = [...Object.entries(subjects), ...rest];
  const texts = asked.map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(texts).toString();
  return { method, target: query === '' ? path : `${path}?${query}`, ...headers };
}

/** Where a header cannot hold it, no attempt could be sent. */
function inHeader(name: string, given: unknown): string {
  const value = name === 'actor' ? encodedPerson(String(given)) : String(given);
  if (!/^[ -~]*$/.test(value))
    throw new TypeError(
      `${name} is ${JSON.stringify(value)}, which cannot stand in a header: expected ${name === 'actor' ? 'Unicode text' : 'printable ASCII characters'}`,
    );
  return value;
}

/** Writes a person for the header `X-Actor`: percent-encodes what is not printable ASCII, and `%` and `,`. Half a character stays. */
export function encodedPerson(person: string): string {
  return person.replaceAll(/[^ -~\p{Surrogate}]|[%,]/gu, encodeURIComponent);
}

/** Every URL parser takes dots away, percent-encoded or not; half a character has no bytes. */
function inPath(name: string, given: unknown): string {
  const value = String(given);
  if (/^\.{0,2}$|\p{Surrogate}/u.test(value))
    throw new TypeError(
      `${name} is ${JSON.stringify(value)}, which cannot stand in a path: invoke the function directly`,
    );
  return encodeURIComponent(value);
}
