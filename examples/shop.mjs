import { env } from 'node:process';
import { HeadroomClient, isProblemError, OutcomeUnknown } from '@headroom-limits/client';

const headroom = new HeadroomClient({
  url: env.HEADROOM_URL ?? 'http://127.0.0.1:3000', // everything before /v1
});

/** Pays an order, if every limit allows it. `bank` and `payments` are yours. */
export async function pay(order, bank, payments) {
  await payments.save(order, 'started'); // before anything else, so that no payment gets lost
  const result = await headroom.withHold(order, async ({ orderId }) => {
    try {
      return await bank.charge(orderId, order.amount); // the bank charges each orderId once
    } catch (error) {
      if (error.code === 'DECLINED') throw error; // certainly not charged: withHold rolls back
      throw new OutcomeUnknown('the bank did not say', { cause: error }); // the hold stays
    }
  });
  switch (result.outcome) {
    case 'confirmed':
    case 'confirmed-before': // by an earlier run for the same order
      await payments.save(order, 'paid');
      return 'paid';
    case 'refused': // nothing was charged
      await payments.save(order, 'refused');
      return `refused: ${result.check.refusedBy.join(', ') || result.check.reason}`;
    case 'unconfirmed': // charged, but Headroom did not answer
    case 'unknown': // nobody knows yet whether the bank charged
      return 'pending'; // the order stays 'started', and finish() ends it
  }
}

/** Ends an order that stayed 'started' for longer than a payment takes. Run it every minute. */
export async function finish(order, bank, payments) {
  const hold = { orderId: order.orderId, subjects: order.subjects };
  const charge = await bank.find(order.orderId);
  if (charge === 'charged') {
    await headroom.confirm(hold); // counts, also after the hold expired
    await payments.save(order, 'paid');
  } else if (charge === 'never') {
    // Not charged, and never will be.
    await headroom.rollback(hold).catch((error) => {
      if (!isProblemError(error, 'NOT_FOUND', 'FORGOTTEN')) throw error; // nothing is held: as good
    });
    await payments.save(order, 'failed');
  } // else the bank does not know yet either: ask again later
}
