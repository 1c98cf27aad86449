import type { CallerAnswer } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session.tsx';
import { callerOf } from './queries.ts';

/** The rights of a caller beside its own orders. */
export type Right = CallerAnswer['rights'][number];

/** Whether this person may do something. False until it is known. The server checks anyway. */
export function useMay(right: Right): boolean {
  const { data } = useQuery(callerOf(useSession()));
  return data?.rights.includes(right) === true;
}
