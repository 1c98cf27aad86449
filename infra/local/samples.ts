import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { SampleApplication } from './sample-application.ts';
import { signedHeaders } from './sample-application.ts';

/** One call that is sent when everything runs, and the sentence that introduces it. */
interface Sample {
  readonly says: string;
  readonly call: 'check' | 'confirm' | 'rollback';
  readonly body: Readonly<Record<string, unknown>>;
  /** Sent as X-Headroom-Now. */
  readonly now?: Date;
}

/** What is shown of an answer. Everything may be absent: the rules may be anybody's. */
const answerSchema = z.object({
  decision: z.string().optional(),
  state: z.string().optional(),
  code: z.string().optional(),
  repeated: z.boolean().optional(),
  holdExpiresAt: z.string().nullish(),
  headroom: z.object({ amount: z.number().nullable() }).optional(),
  rules: z
    .array(z.object({ rule: z.string(), outcome: z.string(), retryAt: z.string().nullish() }))
    .default([]),
});
type Answer = z.infer<typeof answerSchema>;

/** Where samples are sent. */
export interface Samples {
  /** Where the functions answer, without a trailing slash. */
  readonly url: string;
  /** Who signs them; nobody where calls are not signed. */
  readonly application: SampleApplication | undefined;
  /** Aborted when nobody wants to see more. */
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 20_000;
const DAY_MS = 86_400_000;

/** Minor units of a currency with two decimals, as people write them. */
function yuan(amountMinor: number): string {
  return (amountMinor / 100).toLocaleString('en', { minimumFractionDigits: 2 });
}

/** The samples' story, told with a user and orders that no earlier start has used. */
function makeSamples(user: string, now: Date): readonly Sample[] {
  const check = (order: string, amount: number): Readonly<Record<string, unknown>> => ({
    orderId: `${user}-${order}`,
    type: 'PAYMENT',
    subjects: { user },
    amount,
    currency: 'CNY',
  });
  const settle = (order: string): Readonly<Record<string, unknown>> => ({
    orderId: `${user}-${order}`,
    subjects: { user },
  });
  const tomorrow = new Date(now.getTime() + DAY_MS);
  return [
    { says: 'May 20,000.00 be paid?', call: 'check', body: check('1', 2_000_000) },
    {
      says: 'The same once more, say after a lost answer: nothing is held twice.',
      call: 'check',
      body: check('1', 2_000_000),
    },
    { says: 'The payment succeeded.', call: 'confirm', body: settle('1') },
    { says: 'A second payment of 20,000.00.', call: 'check', body: check('2', 2_000_000) },
    { says: 'A third, of 15,000.00, today.', call: 'check', body: check('3', 1_500_000) },
    { says: 'The second payment failed.', call: 'rollback', body: settle('2') },
    {
      says: 'The third again, tomorrow.',
      call: 'check',
      body: check('3', 1_500_000),
      now: tomorrow,
    },
  ];
}

/** Returns an answer's interesting fields, in words that are the fields' names or values. */
function describe(answer: Answer): string {
  const exceeded = answer.rules.filter((rule) => /^(exceeded|below-minimum)/.test(rule.outcome));
  const amount = answer.headroom?.amount;
  return [
    answer.decision ?? answer.state ?? answer.code ?? 'no answer in the known form',
    answer.repeated === true ? 'repeated' : undefined,
    typeof answer.holdExpiresAt === 'string' ? `held until ${answer.holdExpiresAt}` : undefined,
    typeof amount === 'number' ? `headroom now ${yuan(amount)}` : undefined,
    ...exceeded.map((rule) => {
      const retry = typeof rule.retryAt === 'string' ? `, retryAt ${rule.retryAt}` : '';
      return `${rule.rule} ${rule.outcome}${retry}`;
    }),
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}

async function send({ url, application, signal }: Samples, sample: Sample): Promise<string> {
  const body = JSON.stringify(sample.body);
  const call = { method: 'POST', target: `/v1/${sample.call}`, body: Buffer.from(body, 'utf8') };
  const response = await fetch(`${url}/v1/${sample.call}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(sample.now === undefined ? {} : { 'x-headroom-now': sample.now.toISOString() }),
      ...(application === undefined ? {} : signedHeaders(application, call)),
    },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const text = await response.text();
  const parsed = answerSchema.safeParse(parseJson(text));
  return `${response.status} ${parsed.success ? describe(parsed.data) : text.slice(0, 200)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Sends a handful of transactions of a user who is new at every start, and prints each request with
 * its answer.
 *
 * @throws whatever fetch throws when an answer does not come within 20 s
 */
export async function sendSamples(samples: Samples, print: (line: string) => void): Promise<void> {
  const user = `sample-${randomBytes(3).toString('hex')}`;
  for (const [index, sample] of makeSamples(user, new Date()).entries()) {
    const header = sample.now === undefined ? '' : `X-Headroom-Now: ${sample.now.toISOString()}  `;
    print(`${index + 1}. ${sample.says}`);
    print(`   → POST /v1/${sample.call}  ${header}${JSON.stringify(sample.body)}`);
    print(`   ← ${await send(samples, sample)}`);
  }
}

/** Returns a command line that goes on from here, for a shell of macOS, Linux or WSL. */
export function exampleCommand(url: string, application?: SampleApplication): string {
  const body = {
    orderId: 'order-1',
    type: 'PAYMENT',
    subjects: { user: 'u-1', merchant: 'm-1', card: 'c-1' },
    amount: 120_000,
    currency: 'CNY',
  };
  if (application !== undefined)
    return `HEADROOM_APP_ID=${application.id} HEADROOM_SECRET=${application.secret} node examples/signed-call.mjs ${url}/v1/check '${JSON.stringify(body)}'`;
  return `curl -s ${url}/v1/check -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
