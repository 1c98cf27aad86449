import { DAY_MS } from '../../lib/shared/bounds.ts';
import { randomBytes } from 'node:crypto';
import { amountText } from '../../cli/money.ts';
import {
  HeadroomClient,
  ProblemError,
  type Application,
  type CheckRequest,
} from '../../packages/client/src/index.ts';

/** The names of an order that is held. */
export interface HeldOrder {
  readonly orderId: string;
  readonly subjects: Readonly<Record<string, string>>;
}

/** One call that is sent when everything runs, and the sentence that introduces it. */
type Sample = SampleCall & {
  readonly says: string;
  /** Sent as X-Headroom-Now. */
  readonly now?: Date;
  /** It is the one that stays held, for the newcomer to settle by a message. */
  readonly isForMessage?: true;
};
type SampleCall =
  | { readonly call: 'check'; readonly body: CheckRequest }
  | { readonly call: 'confirm' | 'rollback'; readonly body: HeldOrder };

/** The shown fields of an answer: a check has some, a confirm and a rollback have others. */
type Answer = {
  readonly decision?: string;
  readonly state?: string;
  readonly repeated?: boolean;
  readonly holdExpiresAt?: string | null;
  readonly limitReachedBy?: readonly string[];
  readonly headroom?: { readonly amount: number | null; readonly amountBy: readonly string[] };
  readonly rules?: readonly {
    readonly rule: string;
    readonly outcome: string;
    readonly retryAt?: string | null;
  }[];
};

/** Where samples are sent. */
interface Samples {
  /** Where the functions answer, without a trailing slash. */
  readonly url: string;
  /** Who signs them; nobody where calls are not signed. */
  readonly application: Application | undefined;
  /** Aborted when nobody wants to see more. */
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 20_000;

/** The samples' story, told with users and orders that no earlier start has used. */
function makeSamples(user: string, now: Date): readonly Sample[] {
  const check = (order: string, amount: number, of = user) => ({
    orderId: `${user}-${order}`,
    type: 'PAYMENT',
    subjects: { user: of },
    amount,
    currency: 'CNY',
  });
  const settle = (order: string) => ({
    orderId: `${user}-${order}`,
    subjects: { user },
  });
  const tomorrow = new Date(now.getTime() + DAY_MS);
  return [
    { says: 'May 20,000.00 be paid?', call: 'check', body: check('1', 2_000_000) },
    {
      says: 'Order 1 again, as after a lost answer: nothing is held twice.',
      call: 'check',
      body: check('1', 2_000_000),
    },
    { says: 'The payment succeeded.', call: 'confirm', body: settle('1') },
    { says: 'A second payment of 20,000.00.', call: 'check', body: check('2', 2_000_000) },
    { says: 'A third, of 15,000.00, today.', call: 'check', body: check('3', 1_500_000) },
    { says: 'The second payment failed.', call: 'rollback', body: settle('2') },
    {
      says: 'A fourth, of 100.00, is held until a message confirms or rolls it back: see Messages.',
      call: 'check',
      body: check('4', 10_000),
      isForMessage: true,
    },
    {
      // For another user: a user who was asked about tomorrow has let go of today's windows.
      says: "Another user's, tomorrow.",
      call: 'check',
      body: check('5', 1_500_000, `${user}-tomorrow`),
      now: tomorrow,
    },
  ];
}

/** Returns an answer's interesting fields, in words that are the fields' names or values. */
function describe(answer: Answer): string {
  const { rules = [], limitReachedBy = [] } = answer;
  const exceeded = rules.filter((rule) => /^(exceeded|below-minimum)/.test(rule.outcome));
  const { amount, amountBy = [] } = answer.headroom ?? {};
  return [
    answer.decision ?? answer.state,
    answer.repeated === true ? 'repeated' : undefined,
    typeof answer.holdExpiresAt === 'string' ? `held until ${answer.holdExpiresAt}` : undefined,
    typeof amount === 'number'
      ? `headroom now ${amountText(amount, 'CNY')}${by(amountBy)}`
      : undefined,
    limitReachedBy.length > 0 ? `limitReached${by(limitReachedBy)}` : undefined,
    ...exceeded.map((rule) => {
      const retry = typeof rule.retryAt === 'string' ? `, retryAt ${rule.retryAt}` : '';
      return `${rule.rule} ${rule.outcome}${retry}`;
    }),
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}

/** Names the rules that something comes from. */
function by(rules: readonly string[]): string {
  return rules.length === 0 ? '' : ` by ${rules.join(', ')}`;
}

/** An answer as it is shown, and whether it holds the order. */
interface Shown {
  readonly text: string;
  readonly isHeld: boolean;
}

async function send({ url, application, signal }: Samples, sample: Sample): Promise<Shown> {
  const client = new HeadroomClient({
    url,
    app: application,
    headers: sample.now && { 'x-headroom-now': sample.now.toISOString() },
    deadlineMs: TIMEOUT_MS,
  });
  try {
    const answer: Answer = await (sample.call === 'check'
      ? client.check(sample.body, { signal })
      : client[sample.call](sample.body, { signal }));
    return { text: `200 ${describe(answer)}`, isHeld: typeof answer.holdExpiresAt === 'string' };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { text: `${error.status} ${error.code}`, isHeld: false };
  }
}

/**
 * Sends a handful of transactions of users who are new at every start, and prints each request with
 * its answer.
 *
 * @returns the order that a message is to settle, where these rules let it through
 * @throws HeadroomError when an answer does not come within 20 s
 */
export async function sendSamples(
  samples: Samples,
  print: (line: string) => void,
): Promise<HeldOrder | undefined> {
  let held: HeldOrder | undefined;
  const user = `sample-${randomBytes(3).toString('hex')}`;
  for (const [index, sample] of makeSamples(user, new Date()).entries()) {
    const header = sample.now === undefined ? '' : `X-Headroom-Now: ${sample.now.toISOString()}  `;
    print(`${index + 1}. ${sample.says}`);
    print(`   → POST /v1/${sample.call}  ${header}${JSON.stringify(sample.body)}`);
    const { text, isHeld } = await send(samples, sample);
    print(`   ← ${text}`);
    if (isHeld && sample.isForMessage === true) {
      const { orderId, subjects } = sample.body;
      held = { orderId, subjects };
    }
  }
  return held;
}
