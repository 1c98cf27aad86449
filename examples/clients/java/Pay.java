import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes one payment at a pretended bank, and prints what became of the order.
 *
 * <pre>
 * javac *.java
 * HEADROOM_URL=http://127.0.0.1:3000 HEADROOM_APP_ID=sample HEADROOM_SECRET=hrs_… \
 *   java Pay ORDER_ID AMOUNT [pays | declines | times-out]
 * </pre>
 */
final class Pay {
  static final class Declined extends Exception {}

  public static void main(String[] arguments) throws Exception {
    Map<String, String> env = System.getenv();
    long seconds = Long.parseLong(env.getOrDefault("HEADROOM_DEADLINE_SECONDS", "30"));
    Headroom headroom = new Headroom(
        env.get("HEADROOM_URL"),
        env.get("HEADROOM_APP_ID"),
        env.get("HEADROOM_SECRET"),
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(10));
    String orderId = arguments[0];
    String bank = arguments.length > 2 ? arguments[2] : "pays";
    Map<String, Object> order = Map.of(
        "orderId", orderId,
        "type", "PAYMENT",
        "subjects", Map.of("user", "user of " + orderId),
        "amount", Long.valueOf(arguments[1]),
        "currency", "CNY");
    int[] paid = {0};
    Map<String, Object> report = new HashMap<>();
    try {
      var result = headroom.withHold(order, check -> {
        // Here your service asks the bank, with the order's id as the idempotency key.
        if (bank.equals("declines")) throw new Declined();
        if (bank.equals("times-out")) throw new Headroom.OutcomeUnknown("the bank timed out");
        paid[0]++;
        return "receipt of " + orderId;
      });
      report.put("outcome", result.outcome());
      report.put("refusedBy", result.check().get("refusedBy"));
      report.put("request", result.request());
      if (result.error() instanceof Headroom.CallFailed failed) report.put("code", failed.code);
    } catch (Declined declined) {
      report.put("outcome", "declined");
    }
    report.put("paid", paid[0]);
    if (!"refused".equals(report.get("outcome"))) report.put("state", headroom.status(orderId).get("state"));
    System.out.println(Json.write(report));
  }
}
