import type { Subject } from '@headroom-limits/client';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session.tsx';
import { usageOf } from './queries.ts';

/** In what a rule's amounts are, as the subject's usage tells it; undefined where it does not. */
export function useRuleCurrency(subject: Subject, rule: string): string | undefined {
  const { data } = useQuery(usageOf(useSession(), subject));
  return data?.rules.find((each) => each.rule === rule)?.currency;
}
