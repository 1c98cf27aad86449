// One start of a function, as Lambda makes it: a new process loads the bundle and answers once.
// Tells its parent the milliseconds from the start of the process to the answer. Plain JavaScript,
// so that nothing but the bundle is loaded.
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const [bundle = '', event = '{}'] = process.argv.slice(2);
const { handler } = createRequire(import.meta.url)(bundle);
const reply = await handler(JSON.parse(event), { awsRequestId: 'cold-start' });
const answeredMs = performance.now();
process.send({ answeredMs, statusCode: reply.statusCode });
process.disconnect();
process.exit(0);
