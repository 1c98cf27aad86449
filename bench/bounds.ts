import type { Bytes } from './bytes.ts';
import { GOAL_CALLERS } from './goals.ts';
import type { Results } from './measure-all.ts';
import type { Profile } from './profile.ts';

/** Costs with a bound: processor time, bytes, code. */
export type Bound = {
  readonly name: string;
  readonly most: number;
  /** First this build's, then another revision's if one was measured beside it. */
  readonly measured: readonly (number | undefined)[];
};

/** Finds what was measured of everything that has a bound; what was not measured is left out. */
export function boundsOf(results: Results): readonly Bound[] {
  const { throughput, bytes, profiles } = results;
  const { beside } = results.circumstances;
  const clientMs = (contender: string): readonly (number | undefined)[] =>
    ['', ...(beside === undefined ? [] : [` of ${beside}`])].map(
      (whose) =>
        throughput.rows.find(
          (row) =>
            row.placement === 'distinct' &&
            row.callers === GOAL_CALLERS &&
            row.contender === `${contender}${whose}`,
        )?.processorMs.client,
    );
  const sent = (call: string): readonly (number | undefined)[] =>
    bytes.map(({ requests }) => requests.find((row) => row.call === call)?.bytes);
  const stored = (document: string): readonly (number | undefined)[] =>
    bytes.map((one: Bytes) => one.stored.find((row) => row.document === document)?.bytes);
  return [
    { name: 'client, processor ms of a check', most: 0.4, measured: clientMs('check') },
    {
      name: 'client, processor ms of one order among 64',
      most: 0.025,
      measured: clientMs('checks'),
    },
    {
      name: 'bytes of a check, five rules of a user',
      most: 2_200,
      measured: sent('check, five rules of a user'),
    },
    {
      name: 'bytes of a confirm, five rules of a user',
      most: 1_200,
      measured: sent('confirm, five rules of a user'),
    },
    ...['check of a new user', 'check that is refused', 'confirm without a reservation'].map(
      (call) => ({
        name: `bytes of a ${call}, all statements`,
        most: 4_000,
        measured: sent(call),
      }),
    ),
    {
      name: 'bytes of a document with 20 outcomes',
      most: 2_000,
      measured: stored('20 outcomes, 1 open hold'),
    },
    ...profileBounds(profiles),
  ].filter(({ measured }) => measured[0] !== undefined);
}

/** Calls of functions of the library that one call may make. */
const CALLS_MAX = { check: 190, confirm: 90 } as const;

function profileBounds(profiles: readonly Profile[]): readonly Bound[] {
  return (['check', 'confirm'] as const).map((call) => ({
    name: `calls of functions in one ${call}`,
    most: CALLS_MAX[call],
    measured: profiles.map(({ rows }) => rows.find((row) => row.call === call)?.calls),
  }));
}
