import * as z from 'zod/mini';
import type { healthAnswer } from '../../contract/health.ts';
import type { Told } from '../../contract/words.ts';
import { answered } from '../http/handler.ts';
import type { Call } from '../http/handler.ts';
import { readRequest, requestSchema } from '../http/requests.ts';
import { component } from '../http/said.ts';
import type { Health } from './finding.ts';
import { worstOf } from './finding.ts';

/** What `health` takes: nothing. */
export const healthSchema = component('HealthRequest', requestSchema({}));

/** The call `health`, as it is read and written. */
export function healthCall(run: () => Promise<Health>): Call<object, Health> {
  return {
    name: 'health',
    needs: ['health:read'],
    readQuery: (query) => Object.fromEntries(query),
    read: (text) => readRequest<z.output<typeof healthSchema>>(healthSchema, text, () => []),
    run,
    write: healthJson,
    tell: answered,
  };
}

/** Writes what was found, and how bad the worst of it is. */
export function healthJson({ version, findings }: Health): Told<typeof healthAnswer> {
  return { version, worst: worstOf(findings), findings };
}
