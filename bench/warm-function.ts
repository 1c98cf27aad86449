/**
 * A process that measures what a handler adds to the library: the same checks through both, in turns.
 * It stands apart because a handler writes its log to standard output. Sends the figure to its parent.
 */
import process from 'node:process';
import { check } from '../functions/handlers.ts';
import { startService } from '../functions/service.ts';
import { ratio } from './figures.ts';
import { interleave } from './measure.ts';
import { AMOUNT_MINOR, checkOf } from './workload.ts';

const SUBJECTS = 1_000;

const service = startService(process.env);
const handler = check(service);

const subjectOf = (number: number): string => `warm-${number % SUBJECTS}`;

async function throughHandler(number: number): Promise<void> {
  const body = JSON.stringify({
    orderId: `handler-${number}`,
    subjects: { user: subjectOf(number) },
    amount: AMOUNT_MINOR,
    currency: 'CNY',
    capture: true,
  });
  const event = { version: '2.0', requestContext: {}, headers: {}, body, isBase64Encoded: false };
  const reply = await handler(event, { awsRequestId: `request-${number}` });
  if (!('statusCode' in reply) || reply.statusCode !== 200)
    throw new Error(`a check was answered ${JSON.stringify(reply)}`);
}

async function throughLibrary(number: number): Promise<void> {
  const request = checkOf(`library-${number}`, { user: subjectOf(number) });
  await service.limits.check({ ...request, capture: true });
}

const [rounds = '5', sliceMs = '300'] = process.argv.slice(2);
const measured = await interleave(
  [
    { name: 'library', run: throughLibrary },
    { name: 'handler', run: throughHandler },
  ],
  { callers: 1, rounds: Number(rounds), sliceMs: Number(sliceMs), warmMs: 10 * Number(sliceMs) },
  () => ({ client: 0 }),
);
const [library, handled] = measured;
if (library === undefined || handled === undefined) throw new RangeError('two were measured');
process.send?.(ratio(library, handled), () => process.exit(0));
