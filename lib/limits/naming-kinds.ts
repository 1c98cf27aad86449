import { unknownKindsIn } from '../rule/known-kinds.ts';
import type { Calls } from './context.ts';

/** Wraps the calls so that the answer to an order without a rule names its unknown subject kinds. */
export function kindNamingCalls(calls: Calls): Calls {
  return {
    ...calls,
    async check(context, requests, atomic) {
      const told = await calls.check(context, requests, atomic);
      const unruled = ({ result }: (typeof told)[number]) => {
        if (result.kind !== 'answered' || result.answer.kind !== 'refused') return undefined;
        return result.answer.reason === 'no-rule' ? result.answer : undefined;
      };
      if (!told.some(unruled)) return told;
      const { live } = await context.rules();
      const others = [...context.homeKinds, ...context.askedKinds];
      return told.map((one, index) => {
        const answer = unruled(one);
        if (answer === undefined) return one;
        const unknownKinds = unknownKindsIn(requests[index]?.subjects ?? {}, live, others);
        if (unknownKinds === undefined) return one;
        return { ...one, result: { kind: 'answered', answer: { ...answer, unknownKinds } } };
      });
    },
  };
}
