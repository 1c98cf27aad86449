import { beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  Attempt,
  CheckAnswer,
  Hold,
  HoldResult,
  WithHoldOptions,
} from '../../packages/client/src/index.ts';
import {
  HeadroomClient,
  OutcomeUnknown,
  paid,
  ProblemError,
} from '../../packages/client/src/index.ts';
import { useDatabase } from '../support/database.ts';
import { CHECK, HOME, useHttpService } from './fixture.ts';

const RECEIPT = { paymentId: 'pay-1' };

const database = useDatabase();
const service = useHttpService(database);
let client: HeadroomClient;
beforeAll(() => {
  client = new HeadroomClient({ url: service.url, firstDelayMs: 10, deadlineMs: 5000 });
});

/** The calls that arrived, by their paths. */
function calls(): readonly string[] {
  return service.arrived.map(({ url }) => url.replace('/prod/v1/', ''));
}

/** The held and used parts of the user's maximum. */
async function standing(): Promise<object | undefined> {
  const answer = await client.check({ ...CHECK, orderId: 'o-look', amount: 0, dryRun: true });
  const [rule] = answer.rules;
  return { used: rule?.used?.amount, held: rule?.held?.amount };
}

describe('withHold, where the order is allowed', () => {
  it('runs pay while the share is held, confirms, and gives what pay gave', async () => {
    const seen: (Hold & { standing: unknown })[] = [];
    const result = await client.withHold(CHECK, async (hold) => {
      seen.push({ ...hold, standing: await standing() });
      return RECEIPT;
    });
    expect(result).toMatchObject({
      outcome: 'confirmed',
      value: RECEIPT,
      check: { decision: 'allowed', repeated: false },
      confirm: { state: 'confirmed', repeated: false, late: false, amount: 300 },
    });
    const [hold] = seen;
    expect(hold).toMatchObject({
      orderId: 'o-1',
      repeated: false,
      reservation: expect.any(String) as string,
      holdExpiresAt: expect.any(String) as string,
      standing: { used: 0, held: 300 },
    });
    expect(calls()).toEqual(['check', 'check', 'confirm']);
    expect(await standing()).toEqual({ used: 300, held: 0 });
  });

  it.each([
    { amount: 250, used: 250, why: 'less was paid' },
    { amount: 400, used: 400, why: 'more was paid' },
    { amount: 0, used: 0, why: 'zero is an amount' },
  ])('confirms $amount where pay says so, because $why', async ({ amount, used }) => {
    const result = await client.withHold(CHECK, () => paid(amount, RECEIPT));
    expect(result).toMatchObject({ outcome: 'confirmed', value: RECEIPT, confirm: { amount } });
    expect(await standing()).toEqual({ used, held: 0 });
  });

  it('runs pay with the part that fits, and confirms it', async () => {
    await client.check({ ...CHECK, orderId: 'o-0' });
    const amounts: number[] = [];
    const pay = ({ amount }: Hold) => amounts.push(amount);
    const result = await client.withHold({ ...CHECK, partial: { min: 1 } }, pay);
    expect(amounts).toEqual([200]);
    expect(result).toMatchObject({
      outcome: 'confirmed',
      confirm: { amount: 200 },
    });
    expect(await standing()).toEqual({ used: 200, held: 300 });
  });

  it('confirms what was held where pay gives nothing', async () => {
    const result = await client.withHold(CHECK, () => undefined);
    expect(result).toMatchObject({ outcome: 'confirmed', value: undefined });
    expect(
      await client.withHold({ ...CHECK, orderId: 'o-2', amount: 200 }, () => paid(100)),
    ).toMatchObject({
      outcome: 'confirmed',
      value: undefined,
      confirm: { amount: 100 },
    });
  });

  it('says that the share was held before, so that pay looks first', async () => {
    await client.check(CHECK);
    const repeated: boolean[] = [];
    const result = await client.withHold(CHECK, (hold) => repeated.push(hold.repeated));
    expect(result.outcome).toBe('confirmed');
    expect(repeated).toEqual([true]);
  });

  it('does not pay again what was confirmed before', async () => {
    await client.withHold(CHECK, () => RECEIPT);
    const pay = vi.fn();
    expect(await client.withHold(CHECK, pay)).toMatchObject({ outcome: 'confirmed-before' });
    expect(pay).not.toHaveBeenCalled();
  });
});

describe('withHold, where the order was paid before and refunded since', () => {
  it.each([
    { amount: 100, outcome: 'partlyRefunded' },
    { amount: 300, outcome: 'refunded' },
  ] as const)('$amount of 300: is $outcome, and pays nothing', async ({ amount, outcome }) => {
    await client.withHold(CHECK, () => RECEIPT);
    await client.refund({ ...HOME, refundId: 'r-1', amount });
    const pay = vi.fn();
    expect(await client.withHold(CHECK, pay)).toMatchObject({ outcome, check: { state: outcome } });
    expect(pay).not.toHaveBeenCalled();
  });

  it('is refunded where another caller confirmed and refunded it meanwhile', async () => {
    const result = await client.withHold(CHECK, async () => {
      await client.confirm(HOME);
      await client.refund({ ...HOME, refundId: 'r-1' });
      return RECEIPT;
    });
    expect(result).toMatchObject({ outcome: 'refunded', value: RECEIPT, confirm: { amount: 300 } });
  });
});

describe('withHold, where an answer is not one that it knows', () => {
  const ALLOWED = {
    decision: 'allowed',
    state: 'held',
    reservation: 'WzMs',
    repeated: false,
    limitReached: false,
    limitReachedBy: [],
    refusedBy: [],
  };
  it.each([
    { with: { decision: 'challenge' }, why: 'only "allowed" pays' },
    { with: { decision: null }, why: 'it decides nothing' },
    { with: { state: undefined }, why: 'nobody knows whether it was paid before' },
    { with: { state: null }, why: 'nobody knows whether it was paid before' },
    { with: { state: 'disputed' }, why: 'a newer state may be no payment' },
    { with: { state: 'none' }, why: 'nothing is held after a dry run' },
    { with: { reservation: null }, why: 'no confirm could name the hold' },
    { with: { reservation: '' }, why: 'no confirm could name the hold' },
  ])('$with: throws, because $why', async (row) => {
    service.faults.push({ status: 200, body: JSON.stringify({ ...ALLOWED, ...row.with }) });
    const pay = vi.fn();
    await expect(client.withHold(CHECK, pay)).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      retryable: false,
    });
    expect(pay).not.toHaveBeenCalled();
  });

  it.each(['rolledBack', 'disputed', null])(
    'gives what was paid where the confirm is answered %j',
    async (state) => {
      const pay = () => {
        service.faults.push({ status: 200, body: JSON.stringify({ state, repeated: false }) });
        return RECEIPT;
      };
      expect(await client.withHold(CHECK, pay)).toMatchObject({
        outcome: 'unconfirmed',
        value: RECEIPT,
        request: { orderId: 'o-1' },
        error: { code: 'UNEXPECTED_ANSWER' },
      });
      await expect(client.confirm(HOME)).resolves.toMatchObject({ state: 'confirmed' });
    },
  );
});

describe('withHold, where the order is refused', () => {
  it('gives the refusal, and runs nothing', async () => {
    const pay = vi.fn();
    const result = await client.withHold({ ...CHECK, amount: 501 }, pay);
    expect(result).toMatchObject({
      outcome: 'refused',
      check: { decision: 'refused', rules: [{ rule: 'user-life', outcome: 'exceeded' }] },
    });
    expect(pay).not.toHaveBeenCalled();
    expect(calls()).toEqual(['check']);
  });

  it('rejects where the check is not understood', async () => {
    const pay = vi.fn();
    await expect(client.withHold({ ...CHECK, amount: -1 }, pay)).rejects.toBeInstanceOf(
      ProblemError,
    );
    expect(pay).not.toHaveBeenCalled();
  });

  it.each(['capture', 'dryRun'] as const)('takes no %s', async (field) => {
    const request = { ...CHECK, [field]: true }; // not so typed
    await expect(client.withHold(request, vi.fn())).rejects.toThrow(`${field} is true`);
    expect(calls()).toEqual([]);
  });
});

describe('withHold, where pay throws', () => {
  it.each([
    {
      way: 'at once',
      pay: () => {
        throw new RangeError('declined');
      },
    },
    { way: 'later', pay: () => Promise.reject(new RangeError('declined')) },
  ])('$way: rolls back, and throws the same', async ({ pay }) => {
    const error: unknown = await client
      .withHold(CHECK, pay, {
        reason: 'the bank said no',
        reasonCodeOf: (thrown) => (thrown instanceof RangeError ? 'declined' : undefined),
      })
      .catch((each: unknown) => each);
    expect(error).toBeInstanceOf(RangeError);
    expect(await standing()).toEqual({ used: 0, held: 0 });
    expect(await client.status('o-1')).toMatchObject({
      state: 'rolledBack',
      history: [{}, { operation: 'rollback', reason: 'the bank said no', reasonCode: 'declined' }],
    });
  });

  it('rolls back without a code where the function that says it throws', async () => {
    const pay = () => {
      throw new RangeError('declined');
    };
    const reasonCodeOf = () => {
      throw new TypeError('no code');
    };
    await expect(client.withHold(CHECK, pay, { reasonCodeOf })).rejects.toThrow('declined');
    expect(await standing()).toEqual({ used: 0, held: 0 });
  });

  it('rolls back although the first answer to it is lost', async () => {
    const pay = () => {
      service.faults.push('answer-lost', { status: 503 });
      throw new RangeError('declined');
    };
    await expect(client.withHold(CHECK, pay)).rejects.toThrow('declined');
    expect(calls()).toEqual(['check', 'rollback', 'rollback', 'rollback']);
    expect(await standing()).toEqual({ used: 0, held: 0 });
  });

  it('throws the same where the rollback fails, too, and tells of it', async () => {
    const told: unknown[] = [];
    const onRollbackFailed: WithHoldOptions['onRollbackFailed'] = (...all) => told.push(all);
    const pay = async (hold: Hold) => {
      await client.confirm({ orderId: hold.orderId, reservation: hold.reservation });
      throw new RangeError('declined');
    };
    await expect(client.withHold(CHECK, pay, { onRollbackFailed })).rejects.toThrow('declined');
    expect(told).toMatchObject([[{ code: 'ALREADY_CONFIRMED' }, { orderId: 'o-1' }]]);
  });
});

describe('withHold, where nobody knows how the payment ended', () => {
  it('leaves the hold where pay says so, and says where it is', async () => {
    const cause = new Error('the bank timed out');
    const result = await client.withHold(CHECK, () => {
      throw new OutcomeUnknown('asked the bank', { cause });
    });
    expect(result).toMatchObject({
      outcome: 'unknown',
      hold: { orderId: 'o-1', reservation: expect.any(String) as string },
      error: { name: 'OutcomeUnknown', cause },
    });
    expect(await standing()).toEqual({ used: 0, held: 300 });
    if (result.outcome === 'unknown') await client.confirm(result.hold);
    expect(await standing()).toEqual({ used: 300, held: 0 });
  });

  it('leaves the hold where pay is aborted', async () => {
    const controller = new AbortController();
    const pay = ({ signal }: Hold) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('gave up'));
        });
        controller.abort();
      });
    const result = await client.withHold(CHECK, pay, { signal: controller.signal });
    expect(result).toMatchObject({ outcome: 'unknown', error: { message: 'gave up' } });
    expect(await standing()).toEqual({ used: 0, held: 300 });
  });

  it('confirms where pay ended well although it was aborted: the money has moved', async () => {
    const controller = new AbortController();
    const pay = () => {
      controller.abort();
      return RECEIPT;
    };
    const result = await client.withHold(CHECK, pay, { signal: controller.signal });
    expect(result).toMatchObject({ outcome: 'confirmed', value: RECEIPT });
  });

  it('rejects where it was aborted before the check', async () => {
    const pay = vi.fn();
    const call = client.withHold(CHECK, pay, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(pay).not.toHaveBeenCalled();
    expect(calls()).toEqual([]);
  });

  it('rolls back where it was aborted between check and pay: nothing was paid', async () => {
    await abortedAfterCheck();
    expect(calls()).toEqual(['check', 'rollback']);
    expect(await standing()).toEqual({ used: 0, held: 0 });
  });

  it('leaves a hold that was there before: an earlier call may have paid', async () => {
    await client.check(CHECK);
    await abortedAfterCheck();
    expect(calls()).toEqual(['check', 'check']);
    expect(await standing()).toEqual({ used: 0, held: 300 });
  });

  /** Gives up once the answer to the check is there. */
  async function abortedAfterCheck(): Promise<void> {
    const controller = new AbortController();
    const onAttempt = ({ call }: Attempt): void => {
      if (call === 'check') controller.abort();
    };
    const pay = vi.fn();
    const call = new HeadroomClient({ url: service.url, onAttempt }).withHold(CHECK, pay, {
      signal: controller.signal,
    });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(pay).not.toHaveBeenCalled();
  }
});

describe('withHold, where the confirm has no answer', () => {
  it('gives what was paid, and the confirm that is still to be sent', async () => {
    const options = { deadlineMs: 300 };
    service.lost.add('/v1/confirm');
    const result = await client.withHold(CHECK, () => paid(250, RECEIPT), options);
    expect(result).toMatchObject({
      outcome: 'unconfirmed',
      value: RECEIPT,
      request: { orderId: 'o-1', amount: 250 },
      error: { code: 'NO_ANSWER' },
    });
    expect(await standing()).toEqual({ used: 0, held: 300 });
    service.lost.clear(); // only now: the last request may come after it was given up
    if (result.outcome === 'unconfirmed') await client.confirm(result.request);
    expect(await standing()).toEqual({ used: 250, held: 0 });
  });

  it('gives what was paid where the confirm cannot be taken', async () => {
    const pay = async ({ orderId, reservation }: Hold) => {
      await client.rollback({ orderId, reservation });
      return RECEIPT;
    };
    expect(await client.withHold(CHECK, pay)).toMatchObject({
      outcome: 'unconfirmed',
      value: RECEIPT,
      error: { code: 'ALREADY_ROLLED_BACK' },
    });
  });
});

describe('withHold, where the store did not decide and the deployment lets orders pass', () => {
  const now = '2026-03-02T10:00:00.000Z';
  const common = {
    repeated: false as const,
    limitReached: false as const,
    limitReachedBy: [],
    rules: [],
    now,
    refusedBy: [],
    shadowRefusedBy: [],
  };
  const UNDECIDED: CheckAnswer = { ...common, decision: 'allowed', undecided: true, state: 'none' };
  const undecided = { status: 200, body: JSON.stringify(UNDECIDED) };

  it('checks again once it was paid, and confirms', async () => {
    service.faults.push(undecided);
    const holds: Hold[] = [];
    const result = await client.withHold(CHECK, (hold) => {
      holds.push(hold);
      return RECEIPT;
    });
    expect(holds).toMatchObject([{ check: { undecided: true } }]);
    expect(holds[0]).not.toHaveProperty('reservation');
    expect(result).toMatchObject({ outcome: 'confirmed', value: RECEIPT });
    expect(calls()).toEqual(['check', 'check', 'confirm']);
    expect(await standing()).toEqual({ used: 300, held: 0 });
  });

  it('confirms all that was paid, though a part alone fits by then', async () => {
    await client.check({ ...CHECK, orderId: 'o-0' });
    service.faults.push(undecided);
    const result = await client.withHold({ ...CHECK, partial: { min: 1 } }, () => RECEIPT);
    expect(result).toMatchObject({
      outcome: 'confirmed',
      check: { amount: 200 },
      confirm: { amount: 300, exceeded: [{ rule: 'user-life', amount: 100 }] },
    });
  });

  it('gives what was paid and is above a limit', async () => {
    await client.check({ ...CHECK, orderId: 'o-0' });
    service.faults.push(undecided);
    const result = await client.withHold(CHECK, () => RECEIPT);
    expect(result).toMatchObject({
      outcome: 'unconfirmed',
      value: RECEIPT,
      check: { decision: 'refused' },
      request: { orderId: 'o-1', subjects: { user: 'u-1' } },
    });
    expect((result as HoldResult<unknown> & { error: Error }).error.message).toMatch(
      /exceeds a limit: count it with record/,
    );
  });

  it('gives what was paid where it is still undecided', async () => {
    service.faults.push(undecided, undecided);
    expect(await client.withHold(CHECK, () => RECEIPT)).toMatchObject({
      outcome: 'unconfirmed',
      check: { undecided: true },
      error: { message: expect.stringMatching(/repeat the check, then confirm/) as string },
    });
  });

  it('rolls back by subjects where pay throws; that nothing was held is as good', async () => {
    service.faults.push(undecided);
    const onRollbackFailed = vi.fn();
    const pay = () => Promise.reject(new RangeError('declined'));
    await expect(client.withHold(CHECK, pay, { onRollbackFailed })).rejects.toThrow('declined');
    expect(calls()).toEqual(['check', 'rollback']);
    expect(onRollbackFailed).not.toHaveBeenCalled();
  });
});
