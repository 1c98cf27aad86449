import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A client of Headroom: signs each call, repeats it safely, and holds a limit around a payment.
 *
 * <p>Copy this file and Json.java into your service. Java 17 or newer, standard library only. Calls a
 * deployment as one application; safe for several threads.
 */
public final class Headroom {
  private static final long FIRST_PAUSE_MS = 200, PAUSE_MS_MAX = 5_000;
  private static final int DOUBLINGS_MAX = 10;
  private static final System.Logger LOG = System.getLogger("headroom");

  /**
   * A call without an answer. The code is that of Headroom's problem (docs/problems.md), NO_ANSWER if
   * nothing answered, or UNEXPECTED_ANSWER if something else than Headroom answered. After a retryable
   * error it is unknown whether the call took effect: send the same call again, which is safe.
   */
  public static final class CallFailed extends Exception {
    public final String code;
    public final boolean retryable;
    private final long retryAfterMs;

    CallFailed(String code, String message, boolean retryable, long retryAfterMs, Throwable cause) {
      super(message + " (" + code + ")", cause);
      this.code = code;
      this.retryable = retryable;
      this.retryAfterMs = retryAfterMs;
    }
  }

  /** Throw it in your payment if you do not know how it ended: the bank timed out. */
  public static final class OutcomeUnknown extends Exception {
    public OutcomeUnknown(String message) {
      super(message);
    }
  }

  /** Your payment. It is given the answer to the check. */
  public interface Payment<T> {
    T pay(Map<String, Object> check) throws Exception;
  }

  /**
   * What became of an order; see README.md for the five outcomes. A request is for confirm or rollback,
   * to be sent later.
   */
  public record HoldResult<T>(
      String outcome, Map<String, Object> check, T value, Map<String, Object> request, Exception error) {}

  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url, appId, secret;
  private final Duration deadline, attempt;

  /**
   * @param url everything before /v1, such as https://limits.example.com
   * @param deadline of a whole call with its repeats
   * @param attempt of one attempt
   */
  public Headroom(String url, String appId, String secret, Duration deadline, Duration attempt) {
    this.url = url.replaceAll("/+$", "");
    this.appId = appId;
    this.secret = secret;
    this.deadline = deadline;
    this.attempt = attempt;
  }

  /** Asks whether an order may happen, and holds its share. A refusal is an answer. */
  public Map<String, Object> check(Map<String, Object> order) throws CallFailed, InterruptedException {
    return call("POST", "/v1/check", order, List.of("decision", "repeated"));
  }

  /** Tells Headroom that the order was paid. */
  public Map<String, Object> confirm(Map<String, Object> request) throws CallFailed, InterruptedException {
    return call("POST", "/v1/confirm", request, List.of("state", "repeated"));
  }

  /** Tells Headroom that the order was not paid. This is final. */
  public Map<String, Object> rollback(Map<String, Object> request) throws CallFailed, InterruptedException {
    return call("POST", "/v1/rollback", request, List.of("state", "repeated"));
  }

  /** Asks what became of an order. */
  public Map<String, Object> status(String orderId) throws CallFailed, InterruptedException {
    return call("GET", statusTarget(orderId), null, List.of("state", "history"));
  }

  /**
   * Checks an order, pays, and confirms; rolls back if the payment throws an exception, and throws it.
   * The payment may run twice for one order, for example if a process died: give the bank the order's id
   * as its idempotency key. An interrupted payment leaves the hold: how it ended is unknown.
   */
  public <T> HoldResult<T> withHold(Map<String, Object> order, Payment<T> payment) throws Exception {
    if (Boolean.TRUE.equals(order.get("dryRun")) || Boolean.TRUE.equals(order.get("capture")))
      throw new IllegalArgumentException("order has dryRun or capture, expected neither: withHold must hold");
    Map<String, Object> check = check(order);
    if ("refused".equals(check.get("decision"))) return new HoldResult<>("refused", check, null, null, null);
    if (!List.of("held", "none").contains(check.get("state")))
      return new HoldResult<>("confirmed-before", check, null, null, null);
    T value;
    try {
      value = payment.pay(check);
    } catch (OutcomeUnknown | InterruptedException error) {
      if (error instanceof InterruptedException) Thread.currentThread().interrupt();
      return new HoldResult<>("unknown", check, null, placeOf(order, check), error);
    } catch (Exception error) {
      try {
        rollback(placeOf(order, check));
      } catch (CallFailed failed) {
        LOG.log(System.Logger.Level.WARNING, "rollback failed, the hold will expire: " + order.get("orderId"), failed);
      }
      throw error;
    }
    try {
      if (Boolean.TRUE.equals(check.get("undecided"))) { // it has to be held before it can be confirmed
        check = check(order);
        if ("refused".equals(check.get("decision")) || Boolean.TRUE.equals(check.get("undecided")))
          throw new CallFailed("NOT_HELD", "paid, but the check did not hold it", false, 0, null);
      }
      confirm(placeOf(order, check));
      return new HoldResult<>("confirmed", check, value, null, null);
    } catch (CallFailed | InterruptedException error) {
      if (error instanceof InterruptedException) Thread.currentThread().interrupt();
      return new HoldResult<>("unconfirmed", check, value, placeOf(order, check), error);
    }
  }

  /** Where the order is held: its reservation; without one, its subjects. */
  private static Map<String, Object> placeOf(Map<String, Object> order, Map<String, Object> check) {
    String name = check.containsKey("reservation") ? "reservation" : "subjects";
    return Map.of("orderId", order.get("orderId"), name, (name.equals("subjects") ? order : check).get(name));
  }

  /** Sends the same bytes until they are answered, or until the deadline. */
  private Map<String, Object> call(String method, String target, Map<String, Object> request, List<String> members)
      throws CallFailed, InterruptedException {
    byte[] body = request == null ? new byte[0] : Json.write(request).getBytes(StandardCharsets.UTF_8);
    long endsAt = System.nanoTime() + deadline.toNanos();
    for (int attempts = 0; ; attempts++) {
      long leftMs = Math.max(1, (endsAt - System.nanoTime()) / 1_000_000);
      try {
        return send(method, target, body, members, Math.min(attempt.toMillis(), leftMs));
      } catch (CallFailed failed) {
        // A random pause: callers that failed together do not come back together.
        long mostMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS << Math.min(attempts, DOUBLINGS_MAX));
        long pauseMs = failed.retryAfterMs + ThreadLocalRandom.current().nextLong(mostMs);
        if (!failed.retryable || System.nanoTime() + pauseMs * 1_000_000 - endsAt >= 0) throw failed;
        Thread.sleep(pauseMs);
      }
    }
  }

  private Map<String, Object> send(String method, String target, byte[] body, List<String> members, long ms)
      throws CallFailed, InterruptedException {
    long now = System.currentTimeMillis();
    // Random decimals: with REPLAY=refuse Headroom takes each signature once, so repeats must differ.
    int random = ThreadLocalRandom.current().nextInt(1_000_000);
    String timestamp = "%d.%03d%06d".formatted(now / 1000, now % 1000, random);
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + target))
        .header("Content-Type", "application/json")
        .header("X-App-Id", appId)
        .header("X-Timestamp", timestamp)
        .header("X-Signature", signatureOf(secret, timestamp, method, target, body))
        .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
        .build();
    var sent = http.sendAsync(request, BodyHandlers.ofString());
    try {
      return answerIn(sent.get(ms, TimeUnit.MILLISECONDS), members);
    } catch (ExecutionException | TimeoutException error) {
      throw new CallFailed("NO_ANSWER", "no answer: " + error, true, 0, error);
    } finally {
      sent.cancel(true); // does nothing to what is done
    }
  }

  private static Map<String, Object> answerIn(HttpResponse<String> response, List<String> members) throws CallFailed {
    int status = response.statusCode();
    Map<String, Object> answer = Json.readObject(response.body());
    // The members tell it from a page for signing in, which is 200, too.
    if (status == 200 && answer.keySet().containsAll(members)) return answer;
    boolean retryable = status == 429 || status >= 500;
    String after = response.headers().firstValue("Retry-After").orElse("");
    long retryAfterMs = after.matches("[0-9]{1,9}") ? Long.parseLong(after) * 1000 : 0;
    if (answer.get("code") instanceof String code && answer.get("detail") instanceof String detail)
      throw new CallFailed(code, detail, retryable, retryAfterMs, null);
    String shown = response.body().substring(0, Math.min(200, response.body().length()));
    String message = "HTTP " + status + " with \"" + shown + "\", expected an answer of Headroom";
    throw new CallFailed("UNEXPECTED_ANSWER", message, retryable, retryAfterMs, null);
  }

  /** The header X-Signature. */
  static String signatureOf(String secret, String timestamp, String method, String target, byte[] body) {
    try {
      String bodyHash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
      String lines = String.join("\n", "v1", timestamp, method, target, bodyHash);
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return "v1=" + HexFormat.of().formatHex(mac.doFinal(lines.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error); // every Java has both algorithms
    }
  }

  /** The path of an order, encoded as JavaScript's encodeURIComponent does: so Headroom signs it. */
  static String statusTarget(String orderId) {
    String encoded = URLEncoder.encode(orderId, StandardCharsets.UTF_8);
    return "/v1/transactions/"
        + encoded.replace("+", "%20").replace("%21", "!").replace("%27", "'").replace("%28", "(")
            .replace("%29", ")").replace("%7E", "~");
  }
}
