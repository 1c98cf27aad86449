import { env } from 'node:process';
import { HeadroomClient, isProblemError, OutcomeUnknown } from '@headroom-limits/client';

const headroom = new HeadroomClient({
  url: env.HEADROOM_URL ?? 'http://127.0.0.1:3000', // everything before /v1
  deadlineMs: 5_000, // of a call with its repeats: your customer waits this long if Headroom is down
});

/** Pays an order, if every limit allows it. `bank` and `payments` are yours. */
export async function pay(order, bank, payments) {
  await payments.save(order, 'started'); // before anything else, so that no payment gets lost
  let result;
  try {
    result = await headroom.withHold(order, async ({ orderId }) => {
      try {
        return await bank.charge(orderId, order.amount); // the bank charges each orderId once
      } catch (error) {
        if (error.code === 'DECLINED') throw error; // certainly not charged: withHold rolls back
        throw new OutcomeUnknown('the bank did not say', { cause: error }); // the hold stays
      }
    });
  } catch (error) {
    if (error.code !== 'DECLINED') throw error; // no answer: nothing is charged, finish() cleans up
    await payments.save(order, 'failed');
    return 'declined';
  }
  switch (result.outcome) {
    case 'confirmed':
    case 'confirmed-before': // by an earlier run for the same order
    case 'partlyRefunded': // paid, and refunded since
    case 'refunded':
      await payments.save(order, SAVED[result.outcome]);
      return SAVED[result.outcome];
    case 'refused': // nothing was charged
      await payments.save(order, 'refused');
      return `refused: ${result.check.refusedBy.join(', ') || result.check.reason}`;
    case 'unconfirmed': // charged, but Headroom did not answer
    case 'unknown': // nobody knows yet whether the bank charged
    default:
      return 'pending'; // the order stays 'started', and finish() ends it
  }
}

/** How `payments` calls an order that was charged. */
const SAVED = {
  confirmed: 'paid',
  'confirmed-before': 'paid',
  partlyRefunded: 'partly refunded',
  refunded: 'refunded',
};

/** Ends an order that stayed 'started' for longer than a payment takes. Run it every minute. */
export async function finish(order, bank, payments) {
  const hold = { orderId: order.orderId, subjects: order.subjects };
  const { state, at } = await bank.find(order.orderId);
  if (state === 'charged') {
    const counted = await headroom.confirm(hold).catch((error) => {
      // Counts, also after the hold expired. Unless nothing is held: then count the charge itself.
      if (!isProblemError(error, 'NOT_FOUND', 'FORGOTTEN', 'ALREADY_ROLLED_BACK')) throw error;
      return countCharge(order, at);
    });
    await payments.save(order, SAVED[counted.state]);
  } else if (state === 'never') {
    // Not charged, and never will be.
    await headroom.rollback(hold).catch((error) => {
      if (!isProblemError(error, 'NOT_FOUND', 'FORGOTTEN')) throw error; // else nothing is held
    });
    await payments.save(order, 'failed');
  } // else the bank does not know yet either: ask again later
}

/** Counts a charge that no hold stands for, above a maximum if it must. Repeats count once. */
async function countCharge(order, at) {
  const charge = { ...order, orderId: `${order.orderId}-charge`, hold: undefined, at };
  const { results } = await headroom.record({ orders: [charge] });
  const [counted] = results;
  if (counted.problem === undefined) return counted;
  throw new Error(`${order.orderId} is not counted: ${counted.problem.code}`);
}
