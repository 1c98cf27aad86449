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
  if (call === 'subjects') return termsMessage(request as TermsCall); // as calls of terms make it
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
  const headers = actor === undefined ? {} : { headers: { 'X-Actor': actor } };
  if (method === 'PUT') return { method, target: path, text: JSON.stringify(rest), ...headers };
  const given = Object.entries(rest).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(given).toString();
  return { method, target: query === '' ? path : `${path}?${query}`, ...headers };
}

/** Every URL parser takes dots away, percent-encoded or not; half a character has no bytes. */
function inPath(name: string, value: string): string {
  if (/^\.{0,2}$|\p{Surrogate}/u.test(value))
    throw new TypeError(
      `${name} is ${JSON.stringify(value)}, which cannot stand in a path: call it by direct invocation`,
    );
  return encodeURIComponent(value);
}
