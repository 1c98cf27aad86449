import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  HeadroomError,
  ProblemError,
  UnexpectedAnswerError,
  type CheckRequest,
  type HeadroomClient,
  type ProblemCode,
  type Subjects,
} from '../packages/client/src/index.ts';
import { visible } from './output.ts';

/** The fields of the probe's orders. */
export type Probe = {
  readonly subjects: Subjects;
  readonly amount: number;
  /** Undefined for that of a rule. */
  readonly currency?: string;
  readonly type?: string;
  readonly attributes?: NonNullable<CheckRequest['attributes']>;
};

/** One call of the probe. */
export type Step = {
  readonly name: string;
  readonly milliseconds: number;
  readonly isRight: boolean;
  /** The answer, or the trouble. */
  readonly says: string;
  /** A place to look at; absent where it is right. */
  readonly lookAt?: string;
};

/** Long enough for the calls; what is left by one that fails ends soon. */
const HOLD = 'PT1M';

/** An answer that is none of Headroom's promises. */
class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
  readonly lookAt: string;
  constructor(message: string, lookAt: string) {
    super(message);
    this.lookAt = lookAt;
  }
}

/** Where no rule names one, each may do. */
const ANY_CURRENCY = 'CNY';

/**
 * Makes a dry check, a check and its confirm, a check and its rollback, after it read the rules for a
 * currency where none is named. It ends with the first that fails.
 *
 * @param onStep gets each call when it ends
 */
export async function smoke(
  client: HeadroomClient,
  probe: Probe,
  onStep: (step: Step) => void,
): Promise<readonly Step[]> {
  const id = randomUUID().slice(0, 8);
  let { currency = ANY_CURRENCY } = probe;
  const order = (name: string): CheckRequest => ({
    ...probe,
    currency,
    orderId: `smoke-${id}-${name}`,
    hold: HOLD,
  });
  const steps: Step[] = [];
  const reading: Call = async () => {
    const { rules } = await client.rules.list();
    const found = ruleWithCurrency(rules, Object.keys(probe.subjects));
    if (found === undefined)
      return `no rule of these subjects names a currency, so it is ${currency}`;
    currency = found.currency;
    return `the currency ${found.currency}, of ${found.id}`;
  };
  const first = probe.currency === undefined ? [['rules', reading] as const] : [];
  for (const [name, call] of [...first, ...callsOf(client, order)]) {
    const step = await timeStep(name, call);
    steps.push(step);
    onStep(step);
    if (!step.isRight) break;
  }
  return steps;
}

type Call = () => Promise<string>;

/** The fields of a stored rule that the probe reads. */
const ruleSchema = z.object({
  id: z.string(),
  currency: z.string(),
  per: z.array(z.string()),
  mode: z.literal('enforce').default('enforce'),
  match: z.unknown().optional(),
});

/** Finds a rule in force that counts for the kinds of subjects; sooner one without conditions. */
function ruleWithCurrency(stored: readonly unknown[], kinds: readonly string[]) {
  const fitting = stored
    .flatMap((rule) => ruleSchema.safeParse(rule).data ?? [])
    .filter(({ per }) => per.every((kind) => kinds.includes(kind)));
  return fitting.find(({ match }) => match === undefined) ?? fitting[0];
}

/** Why a check was refused. */
type Refused = { readonly reason?: string; readonly refusedBy: readonly string[] };

function callsOf(
  client: HeadroomClient,
  order: (name: string) => CheckRequest,
): readonly (readonly [string, Call])[] {
  const held = new Map<string, string>();
  const check = (name: string): Call => {
    return async () => {
      const { decision, ...answer } = await client.check(order(name));
      if (decision !== 'allowed') throw refused(answer);
      if (!('reservation' in answer))
        throw new WrongAnswer(
          'allowed, but nothing is held',
          'the database, which did not answer in time (ON_UNDECIDED=allow allowed the check)',
        );
      held.set(name, answer.reservation);
      return 'allowed, and held';
    };
  };
  const where = (name: string) => ({
    orderId: order(name).orderId,
    reservation: held.get(name) ?? '',
  });
  return [
    [
      'dry check',
      async () => {
        const { decision, ...answer } = await client.check({ ...order('dry'), dryRun: true });
        if (decision !== 'allowed') throw refused(answer);
        return `allowed by ${answer.rules.length === 1 ? '1 rule' : `${answer.rules.length} rules`}`;
      },
    ],
    ['check', check('paid')],
    [
      'confirm',
      async () => {
        const { state, amount } = await client.confirm(where('paid'));
        if (amount !== order('paid').amount)
          throw new WrongAnswer(
            `${state} with the amount ${amount}, expected ${order('paid').amount}`,
            'the version of the Headroom that answers',
          );
        return `${state}, and counted`;
      },
    ],
    ['check', check('unpaid')],
    ['rollback', async () => (await client.rollback(where('unpaid'))).state],
  ];
}

function refused({ reason, refusedBy }: Refused): WrongAnswer {
  if (reason === 'no-rule')
    return new WrongAnswer(
      'refused: no rule applies to the probe',
      'the rules (headroom rules export). Name subjects, --currency and --type that one of them has',
    );
  if (reason === 'frozen')
    return new WrongAnswer('refused: the subject is frozen', 'the subject. Name another');
  return new WrongAnswer(
    `refused by ${refusedBy.join(', ')}`,
    'these rules. Name a subject with room, or a smaller --amount',
  );
}

async function timeStep(name: string, call: Call): Promise<Step> {
  const startedMs = performance.now();
  const took = (): number => Math.round(performance.now() - startedMs);
  try {
    const says = await call();
    return { name, milliseconds: took(), isRight: true, says };
  } catch (error) {
    const milliseconds = took();
    if (error instanceof WrongAnswer)
      return { name, milliseconds, isRight: false, says: error.message, lookAt: error.lookAt };
    // A 404 without a word stands for nobody who listens, of which the caller knows more.
    const isNobody =
      error instanceof UnexpectedAnswerError && error.status === 404 && error.body === '';
    if (!(error instanceof HeadroomError) || isNobody) throw error;
    return { name, milliseconds, isRight: false, says: saidBy(error), lookAt: lookAt(error) };
  }
}

function saidBy(error: HeadroomError): string {
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return visible(`${error.message}${cause}`);
}

/** Names a place to look at after a problem, or an answer that is none. */
function lookAt(error: HeadroomError): string {
  const logs = `the log group /aws/lambda/headroom-<stage>-${error.call}`;
  if (error instanceof ProblemError) {
    const looked = LOOK_AT[error.code] ?? `docs/problems.md, ${error.code}`;
    return `${looked}; and ${logs}, requestId ${error.requestId}`;
  }
  if (!(error instanceof UnexpectedAnswerError))
    return `the address, the firewall of this machine, and ${logs}`;
  return (
    LOOK_AT_STATUS[error.status] ?? `the start of the function: its settings, its secrets, ${logs}`
  );
}

const WHO_SIGNS =
  'HEADROOM_APP_ID and HEADROOM_SECRET (headroom apps list), and the clock of this machine';

/** By the code of a problem. */
const LOOK_AT: Readonly<Partial<Record<ProblemCode, string>>> = {
  UNDECIDED:
    "the way to the database: its access list, the functions' network, the connection string",
  INTERNAL: 'the lines of level ERROR in the log',
  BAD_SIGNATURE: WHO_SIGNS,
  CLOCK_SKEW: WHO_SIGNS,
  RIGHT_MISSING: 'a currency of your rules (--currency), or the right rules:read',
  OPERATION_NOT_ALLOWED:
    'the operations of the application (headroom apps list). The smoke test needs check, confirm and rollback',
};

const WHO_MAY_CALL =
  'the credentials. With IAM: HEADROOM_IAM_REGION, and AWS credentials with execute-api:Invoke. With signed calls: HEADROOM_APP_ID and HEADROOM_SECRET';

/** By the status of an answer that is none of Headroom's. */
const LOOK_AT_STATUS: Readonly<Record<number, string>> = {
  401: WHO_MAY_CALL,
  403: WHO_MAY_CALL,
  404: 'the address: everything before /v1, with the stage if the API has one',
  429: 'the throttle of the API (requestsPerSecond), and the concurrency of the account',
};
