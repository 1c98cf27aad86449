/**
 * The `bank` of shop.mjs, with Stripe. `payments.read(orderId)` returns the order as you stored it, with the
 * id of its PaymentIntent once `payments.saveIntent` has stored it.
 */
export function stripeBank(stripe, payments) {
  /** One PaymentIntent for each order. For 24 hours Stripe answers the same key with the same one. */
  async function intentOf(orderId) {
    const { intentId, amount, currency, customer, paymentMethod } = await payments.read(orderId);
    if (intentId !== undefined) return intentId;
    const asked = {
      amount,
      currency: currency.toLowerCase(),
      customer,
      payment_method: paymentMethod,
      payment_method_types: ['card'],
    };
    const { id } = await stripe.paymentIntents.create(asked, { idempotencyKey: orderId });
    await payments.saveIntent(orderId, id); // before any money moves
    return id;
  }
  return {
    async charge(orderId) {
      const id = await intentOf(orderId);
      try {
        const intent = await stripe.paymentIntents.confirm(id, { off_session: true });
        if (intent.status === 'succeeded') return intent;
        throw new Error(`Stripe says ${intent.status}`); // processing, perhaps: not known yet
      } catch (error) {
        if (error.type !== 'StripeCardError') throw error; // may have charged
        await stripe.paymentIntents.cancel(id); // declined: nobody can confirm it any more
        throw Object.assign(new Error(error.message), { code: 'DECLINED' });
      }
    },
    async find(orderId) {
      const id = await intentOf(orderId);
      let intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
      const isOpen = /^requires_(payment_method|confirmation|action)$/.test(intent.status);
      // Not charged so far. Cancelled, it never will be; if it was charged just now, this throws.
      if (isOpen) intent = await stripe.paymentIntents.cancel(id);
      if (intent.status === 'canceled') return { state: 'never' };
      if (intent.status !== 'succeeded') return { state: 'unsure' };
      const at = new Date(intent.latest_charge.created * 1000).toISOString();
      return { state: 'charged', at };
    },
  };
}
