import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  HeadroomClient,
  ProposedAnswer,
  TermsChangeAnswer,
} from '../../packages/client/src/index.ts';
import type { Proposal } from '../../lib/four-eyes/proposal.ts';
import { useDatabase } from '../support/database.ts';
import { handlersOn } from '../support/service-on-database.ts';
import { ACTOR_KINDS, clientAt, codeOf, RULES, useHttpService } from './fixture.ts';
import { SeenAnswers } from './seen-answers.ts';
import { proposalJson } from '../../lib/four-eyes/proposed-answer.ts';

const database = useDatabase();
const service = useHttpService(database, () =>
  handlersOn(database, RULES, { LOCAL_CLOCK: 'on', FOUR_EYES: 'all' }),
);
let client: HeadroomClient;
beforeAll(() => {
  client = clientAt(service, () => '2026-03-02T10:00:00.000Z');
});
beforeEach(() => database.db.collection('proposals').deleteMany({}));

const answers = new SeenAnswers();
const jane = 'jane@example.com';
const joe = 'joe@example.com';
const user = { kind: 'user', id: 'u-1' };
const override = { ...user, rule: 'user-life', max: { amount: 900 }, reason: 'x', actor: jane };

function waiting(answer: TermsChangeAnswer): ProposedAnswer['proposal'] {
  answers.note('proposed', answer);
  if (!('proposal' in answer)) throw new Error('it does not wait');
  return answer.proposal;
}

describe('a change that needs a second person', () => {
  it('waits, is looked at, and takes effect when another approves', async () => {
    const { id } = waiting(await client.override(override));
    const seen = await answers.noted('findProposal', client.proposals.find(id));
    expect(seen).toMatchObject({ state: 'open', asked: { max: { amount: 900 } } });
    const own = client.proposals.approve({ id, reason: 'mine', actor: jane });
    expect(await codeOf(own)).toBe('WRONG_PERSON');
    service.faults.push('answer-lost');
    const decision = client.proposals.approve({ id, reason: 'seen', actor: joe });
    const decided = await answers.noted('approve', decision);
    expect(decided).toMatchObject({ state: 'approved', decided: { by: { person: joe } } });
    expect((await client.terms(user)).overrides).toMatchObject([
      { max: { amount: 900 }, by: { person: jane }, approvedBy: { person: joe } },
    ]);
  });

  it('is rejected or taken back, and listed', async () => {
    const first = waiting(await client.override(override));
    await client.proposals.reject({ id: first.id, reason: 'no', actor: joe });
    const second = waiting(await client.override(override));
    expect(second.id).not.toBe(first.id);
    const page = await client.proposals.list({ state: 'open', limit: 1 });
    answers.note('listProposals', page);
    expect(page).toMatchObject({ proposals: [{ id: second.id }], next: null });
    await client.proposals.withdraw({ id: second.id, reason: 'a mistake', actor: jane });
    const states = (await client.proposals.list()).proposals.map(({ state }) => state);
    expect(states.sort()).toEqual(['rejected', 'withdrawn']);
    await expect(client.proposals.find('..')).rejects.toThrow(/cannot stand in a path/);
  });
});

it('a decision for one version of the terms is no decision, and none is made', async () => {
  const { id } = waiting(await client.override(override));
  const decision = { id, reason: 'as I saw it', actor: joe, ifMatch: 'none' };
  for (const way of ['approve', 'reject', 'withdraw'] as const)
    await expect(client.proposals[way](decision)).rejects.toMatchObject({
      ...{ code: 'INVALID_REQUEST', problem: { errors: [{ path: 'ifMatch' }] } },
    });
  expect(await client.proposals.find(id)).toMatchObject({ state: 'open' });
});

it('nothing of a proposal is typed that is never answered', () => {
  const at = new Date('2026-03-02T10:00:00.000Z');
  const until = new Date('2026-03-09T10:00:00.000Z');
  const changes: Proposal['change'][] = [
    ...(['freeze', 'unfreeze'] as const).map((kind) => ({ kind })),
    { kind: 'endOverride' as const, rule: 'r' },
    { kind: 'override' as const, override: { rule: 'r', max: { count: 1 } } },
  ].map((wish) => {
    const subject = { kind: 'user', id: 'u-1' };
    return { about: 'terms', subject, wish, replaces: [] } as const;
  });
  const condition = { kind: 'any' } as const;
  const rules: Proposal['change'][] = [
    { about: 'rules', edit: { kind: 'put', rule: { id: 'r' }, condition } },
    { about: 'rules', edit: { kind: 'delete', id: 'r', condition } },
    { about: 'rules', edit: { kind: 'replace', rules: [], condition } },
  ];
  const order: Proposal['change'] = {
    about: 'order',
    order: { appId: 'shop', orderId: 'o-1' },
    digest: 'd',
    payment: { subjects: { user: 'u-1' }, amountMinor: 5, currency: 'CNY', count: 1 },
    refusals: [],
  };
  for (const kind of ACTOR_KINDS)
    for (const change of [...changes, ...rules, order])
      for (const outcome of ['approved', 'rejected', 'withdrawn', 'open'] as const) {
        const by = { kind, id: 'one', person: jane };
        const decision =
          outcome === 'open' ? {} : { decided: { at, by, reason: 'r', passesUntil: until } };
        const made: Proposal = {
          id: 'p',
          state: outcome,
          ...{ change, until, at, by, reason: 'x' },
          ...decision,
        };
        for (const now of [at, until]) answers.note('approve', proposalJson(made, now));
      }
  expect(answers.unseen('approve')).toEqual([]);
});
