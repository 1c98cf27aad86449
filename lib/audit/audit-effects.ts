/** Finds the rows that changed something for some orders of one application. */
export function effectsOfOrders(appId: string, orderIds: readonly string[]) {
  return { appId, orderId: { $in: orderIds }, effective: true };
}
