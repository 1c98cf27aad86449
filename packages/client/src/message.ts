import type { CallName } from './transport.ts';

/** A call as HTTP has it. */
export type Message = {
  readonly method: string;
  /** From `/v1` on. */
  readonly target: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Writes a call as HTTP has it. @throws TypeError where an id cannot stand in a path */
export function messageOf(call: CallName, request: object): Message {
  if (call === 'usage') {
    const subjects = 'subjects' in request ? (request.subjects as Record<string, string>) : {}; // as `usage` makes it
    return { method: 'GET', target: `/v1/usage?${new URLSearchParams(subjects).toString()}` };
  }
  if (call === 'near') return { method: 'GET', target: withQuery('/v1/near', request) };
  if (call === 'subjects') return termsMessage(request as TermsCall); // as calls of terms make it
  if (call === 'proposals') return proposalMessage(request as ProposalCall); // as those calls make it
  if (call !== 'status')
    return { method: 'POST', target: `/v1/${call}`, text: JSON.stringify(request) };
  const orderId = 'orderId' in request ? String(request.orderId) : '';
  return { method: 'GET', target: `/v1/transactions/${inPath('orderId', orderId)}` };
}

/** Each operation by its method and the end of its path. */
const ROUTES = {
  terms: 'GET terms',
  changes: 'GET changes',
  findOverride: 'GET overrides/',
  override: 'PUT overrides/',
  endOverride: 'DELETE overrides/',
  freeze: 'PUT freeze',
  unfreeze: 'DELETE freeze',
} as const;

/** What the function `subjects` takes: the request, and which of its calls it is. */
export type TermsCall = {
  readonly operation: keyof typeof ROUTES;
  readonly kind: string;
  readonly id: string;
  readonly rule?: string;
  readonly actor?: string | undefined;
  readonly reason?: string;
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
};

function termsMessage({ operation, kind, id, rule, actor, ...rest }: TermsCall): Message {
  const [method = '', end = ''] = ROUTES[operation].split(' ');
  const ofRule = end.endsWith('/') ? inPath('rule', String(rule)) : '';
  const path = `/v1/subjects/${inPath('kind', kind)}/${inPath('id', id)}/${end}${ofRule}`;
  return actedMessage(method, path, actor, rest);
}

/** Each operation by its method and its path. */
const PROPOSAL_ROUTES = {
  list: 'GET /v1/proposals',
  find: 'GET /v1/proposals/{id}',
  withdraw: 'DELETE /v1/proposals/{id}',
  approve: 'POST /v1/proposals/{id}/approve',
  reject: 'POST /v1/proposals/{id}/reject',
} as const;

/** What the function `proposals` takes: the request, and which of its calls it is. */
export type ProposalCall = {
  readonly operation: keyof typeof PROPOSAL_ROUTES;
  readonly id?: string;
  readonly actor?: string | undefined;
  readonly reason?: string;
  readonly state?: string | undefined;
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
};

function proposalMessage({ operation, id, actor, ...rest }: ProposalCall): Message {
  const [method = '', path = ''] = PROPOSAL_ROUTES[operation].split(' ');
  return actedMessage(
    method,
    path.replace('{id}', () => inPath('id', String(id))),
    actor,
    rest,
  );
}

/** A call by somebody: its fields in a body, or in a query where it has none. */
function actedMessage(
  method: string,
  path: string,
  actor: string | undefined,
  rest: object,
): Message {
  const headers = actor === undefined ? {} : { headers: { 'X-Actor': actor } };
  if (method === 'PUT' || method === 'POST')
    return { method, target: path, text: JSON.stringify(rest), ...headers };
  return { method, target: withQuery(path, rest), ...headers };
}

/** A path, with what is asked in its query. */
function withQuery(path: string, asked: object): string {
  const given = Object.entries(asked).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(given).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Every URL parser takes dots away, percent-encoded or not; half a character has no bytes. */
function inPath(name: string, value: string): string {
  if (/^\.{0,2}$|\p{Surrogate}/u.test(value))
    throw new TypeError(
      `${name} is ${JSON.stringify(value)}, which cannot stand in a path: call it by direct invocation`,
    );
  return encodeURIComponent(value);
}
