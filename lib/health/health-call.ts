import { CALLS } from '../../contract/calls.ts';
import type { healthAnswer } from '../../contract/health.ts';
import type { Told } from '../../contract/words.ts';
import { asInvoked, requestSchema } from '../http/requests.ts';
import { call } from '../http/handler.ts';
import { component } from '../schema/said.ts';
import type { Health } from '../../contract/finding.ts';
import { worstOf } from '../../contract/finding.ts';

/** The request for `health` is empty. */
export const healthSchema = component('HealthRequest', requestSchema({}));

/** The call `health`, as it is read and written. */
export const healthCall = (run: () => Promise<Health>) =>
  call({
    name: 'health',
    needs: CALLS.health.needs,
    run,
    places: asInvoked,
    takes: healthSchema,
    read: (nothing) => nothing,
    write: healthJson,
  });

/** Writes what was found, and how bad the worst of it is. */
export function healthJson({ version, findings }: Health): Told<typeof healthAnswer> {
  return { version, worst: worstOf(findings), findings };
}
