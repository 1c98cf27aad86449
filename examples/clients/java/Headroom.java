import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
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
  private static final long RETRY_AFTER_MS_MAX = 1_000_000_000_000L; // later than any deadline
  private static final int DOUBLINGS_MAX = 10;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int ANSWER_BYTES_MAX = 8_000_000; // a Lambda function answers 6 MB at most

  /** An order that was paid before, by its state. */
  private static final Map<Object, String> PAID_BEFORE = Map.of(
      "confirmed", "confirmed-before", "partlyRefunded", "partlyRefunded", "refunded", "refunded");

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

  /** An exception of your payment that has a code, by which rules count failures. */
  public interface Coded {
    String reasonCode();
  }

  /** Your payment. It is given the answer to the check. */
  public interface Payment<T> {
    T pay(Map<String, Object> check) throws Exception;
  }

  /**
   * What became of an order; see README.md for the seven outcomes. A request is for confirm or rollback,
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
    return call("POST", "/v1/check", order, "repeated", "decision", Set.of("allowed", "refused"));
  }

  /** Tells Headroom that the order was paid. */
  public Map<String, Object> confirm(Map<String, Object> request) throws CallFailed, InterruptedException {
    return call("POST", "/v1/confirm", request, "repeated", "state", PAID_BEFORE.keySet());
  }

  /** Tells Headroom that the order was not paid. This is final. */
  public Map<String, Object> rollback(Map<String, Object> request) throws CallFailed, InterruptedException {
    return call("POST", "/v1/rollback", request, "repeated", "state", Set.of("rolledBack"));
  }

  /** Asks what became of an order. */
  public Map<String, Object> status(String orderId) throws CallFailed, InterruptedException {
    return call("GET", statusTarget(orderId), null, "history", "state", Set.of());
  }

  /**
   * Checks an order, pays, and confirms; rolls back if the payment throws an exception, and throws it.
   * The payment may run twice for one order, for example if a process died: give the bank the order's id
   * as its idempotency key. An interrupted payment leaves the hold: how it ended is unknown.
   */
  public <T> HoldResult<T> withHold(Map<String, Object> order, Payment<T> payment) throws Exception {
    if (Boolean.TRUE.equals(order.get("dryRun")) || Boolean.TRUE.equals(order.get("capture")))
      throw new IllegalArgumentException("order has dryRun or capture, expected neither: withHold must hold");
    Map<String, Object> check = knownCheck(order);
    if ("refused".equals(check.get("decision"))) return new HoldResult<>("refused", check, null, null, null);
    if (isPaid(check)) return new HoldResult<>(PAID_BEFORE.get(check.get("state")), check, null, null, null);
    T value;
    try {
      value = payment.pay(check);
    } catch (OutcomeUnknown | InterruptedException error) {
      if (error instanceof InterruptedException) Thread.currentThread().interrupt();
      return new HoldResult<>("unknown", check, null, placeOf(order, check), error);
    } catch (Exception error) {
      try {
        Map<String, Object> failure = new java.util.HashMap<>(placeOf(order, check));
        if (error instanceof Coded coded && coded.reasonCode() != null) failure.put("reasonCode", coded.reasonCode());
        rollback(failure);
      } catch (Exception failed) { // the caller must see why its payment failed
        if (failed instanceof InterruptedException) Thread.currentThread().interrupt();
        LOG.log(System.Logger.Level.WARNING, "rollback failed, the hold will expire: " + order.get("orderId"), failed);
      }
      throw error;
    }
    // All of it was paid while nothing was decided, and less may be held by then.
    boolean isWhole = Boolean.TRUE.equals(check.get("undecided")) && order.get("partial") != null;
    try {
      if (Boolean.TRUE.equals(check.get("undecided"))) { // it has to be held before it can be confirmed
        check = knownCheck(order);
        if ("refused".equals(check.get("decision")) || Boolean.TRUE.equals(check.get("undecided")))
          throw new CallFailed("NOT_HELD", "paid, but the check did not hold it", false, 0, null);
      }
      Object state = confirm(paidAt(order, check, isWhole)).get("state"); // it may have been refunded meanwhile
      return new HoldResult<>(state.toString(), check, value, null, null);
    } catch (Exception error) { // whatever it is, the caller must know that it was paid
      if (error instanceof InterruptedException) Thread.currentThread().interrupt();
      return new HoldResult<>("unconfirmed", check, value, paidAt(order, check, isWhole), error);
    }
  }

  /** Only an answer that this client knows may start a payment. */
  private Map<String, Object> knownCheck(Map<String, Object> order) throws CallFailed, InterruptedException {
    Map<String, Object> check = check(order);
    Object state = check.get("state"), reservation = check.get("reservation");
    boolean isHeld = "held".equals(state) && reservation instanceof String text && !text.isEmpty();
    boolean isUndecided = "none".equals(state) && Boolean.TRUE.equals(check.get("undecided"));
    if ("refused".equals(check.get("decision")) || isHeld || isUndecided || isPaid(check)) return check;
    String message = "the check is answered with state " + state + " and reservation " + reservation;
    throw new CallFailed("UNEXPECTED_ANSWER", message + ", expected a hold", false, 0, null);
  }

  private static boolean isPaid(Map<String, Object> check) {
    return check.get("state") instanceof String state && PAID_BEFORE.containsKey(state);
  }

  /** Where the order is held: its reservation; without one, its subjects. */
  private static Map<String, Object> paidAt(
      Map<String, Object> order, Map<String, Object> check, boolean isWhole) {
    Map<String, Object> place = new java.util.HashMap<>(placeOf(order, check));
    if (isWhole) place.put("amount", order.get("amount"));
    return place;
  }

  private static Map<String, Object> placeOf(Map<String, Object> order, Map<String, Object> check) {
    if (check.get("reservation") instanceof String reservation)
      return Map.of("orderId", order.get("orderId"), "reservation", reservation);
    return Map.of("orderId", order.get("orderId"), "subjects", order.get("subjects"));
  }

  /**
   * Sends the same bytes until they are answered, or until the deadline. An answer has both members. If
   * there are values, the second member has one of them.
   */
  private Map<String, Object> call(
      String method, String target, Map<String, Object> request, String member, String telling, Set<?> values)
      throws CallFailed, InterruptedException {
    byte[] body = request == null ? new byte[0] : Json.write(request).getBytes(StandardCharsets.UTF_8);
    long endsAt = System.nanoTime() + deadline.toNanos();
    for (int attempts = 0; ; attempts++) {
      long leftMs = Math.max(1, (endsAt - System.nanoTime()) / 1_000_000);
      try {
        Received received = send(method, target, body, Math.min(attempt.toMillis(), leftMs));
        return answerIn(received, member, telling, values);
      } catch (CallFailed failed) {
        // A random pause: callers that failed together do not come back together.
        long mostMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS << Math.min(attempts, DOUBLINGS_MAX));
        long pauseMs = failed.retryAfterMs + ThreadLocalRandom.current().nextLong(mostMs);
        if (!failed.retryable || System.nanoTime() + pauseMs * 1_000_000 - endsAt >= 0) throw failed;
        Thread.sleep(pauseMs);
      }
    }
  }

  /** What came back, whoever sent it. */
  private record Received(int status, String retryAfter, String text) {}

  private Received send(String method, String target, byte[] body, long ms) throws CallFailed, InterruptedException {
    long created = System.currentTimeMillis() / 1000;
    // Headroom may take each signature once, so the nonce of a repeat differs.
    byte[] nonce = new byte[16];
    RANDOM.nextBytes(nonce);
    String hex = HexFormat.of().formatHex(nonce);
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + target))
        .header("Content-Type", "application/json")
        .method(method, body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    signatureHeaders(appId, secret, created, hex, method, target, Map.of(), body).forEach(request::header);
    var sent = http.sendAsync(request.build(), info -> new BoundedBody());
    try {
      HttpResponse<String> response = sent.get(ms, TimeUnit.MILLISECONDS);
      String after = response.headers().firstValue("Retry-After").orElse("");
      return new Received(response.statusCode(), after, response.body());
    } catch (ExecutionException | TimeoutException error) {
      throw new CallFailed("NO_ANSWER", "no answer: " + error, true, 0, error);
    } finally {
      sent.cancel(true); // does nothing to what is done
    }
  }

  /** Reads the body, or the beginning of one that is longer than any of Headroom. */
  private static final class BoundedBody implements HttpResponse.BodySubscriber<String> {
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private Flow.Subscription subscription;

    public CompletionStage<String> getBody() {
      return body;
    }

    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    public void onNext(List<ByteBuffer> parts) {
      for (ByteBuffer part : parts) {
        byte[] bytes = new byte[part.remaining()];
        part.get(bytes);
        read.writeBytes(bytes);
      }
      if (read.size() <= ANSWER_BYTES_MAX) return;
      subscription.cancel();
      onComplete();
    }

    public void onError(Throwable error) {
      body.completeExceptionally(error);
    }

    public void onComplete() {
      body.complete(read.toString(StandardCharsets.UTF_8));
    }
  }

  private static Map<String, Object> answerIn(Received received, String member, String telling, Set<?> values)
      throws CallFailed {
    Map<String, Object> answer = Json.readObject(received.text);
    // The members tell it from a page for signing in, which is 200, too.
    boolean isAnswer = answer.containsKey(member) && answer.get(telling) instanceof String value
        && (values.isEmpty() || values.contains(value));
    if (received.status == 200 && isAnswer) return answer;
    boolean retryable = received.status == 429 || received.status >= 500;
    long retryAfterMs = msIn(received.retryAfter);
    if (answer.get("code") instanceof String code && answer.get("detail") instanceof String detail)
      throw new CallFailed(code, detail, retryable, retryAfterMs, null);
    String shown = received.text.substring(0, Math.min(200, received.text.length()));
    String message = "HTTP " + received.status + " with \"" + shown + "\", expected an answer of Headroom";
    throw new CallFailed("UNEXPECTED_ANSWER", message, retryable, retryAfterMs, null);
  }

  /** Reads Retry-After: seconds, or an instant (RFC 9110, 10.2.3). */
  private static long msIn(String after) {
    if (after.matches("[0-9]{1,9}")) return Long.parseLong(after) * 1000;
    if (after.matches("[0-9]+")) return RETRY_AFTER_MS_MAX;
    try {
      Instant at = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(after));
      return Math.max(0, Math.min(RETRY_AFTER_MS_MAX, Duration.between(Instant.now(), at).toMillis()));
    } catch (DateTimeException error) {
      return 0;
    }
  }

  /** The headers of a signature (RFC 9421). {@code deciding} has the headers that decide, in small letters, in order. */
  static Map<String, String> signatureHeaders(
      String appId, String secret, long created, String nonce, String method, String target,
      Map<String, String> deciding, byte[] body) {
    try {
      String[] pathAndQuery = target.split("\\?", 2);
      Map<String, String> parts = new LinkedHashMap<>(), headers = new LinkedHashMap<>();
      parts.put("@method", method);
      parts.put("@path", pathAndQuery[0]);
      if (pathAndQuery.length == 2) parts.put("@query", "?" + pathAndQuery[1]);
      if (body.length > 0) {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
        headers.put("Content-Digest", "sha-256=:" + Base64.getEncoder().encodeToString(hash) + ":");
        parts.put("content-digest", headers.get("Content-Digest"));
      }
      parts.putAll(deciding);
      String names = parts.keySet().stream().map(name -> '"' + name + '"').collect(Collectors.joining(" "));
      String input = "(%s);created=%d;keyid=\"%s\";nonce=\"%s\"".formatted(names, created, appId, nonce);
      parts.put("@signature-params", input);
      String lines = parts.entrySet().stream()
          .map(part -> '"' + part.getKey() + "\": " + part.getValue()).collect(Collectors.joining("\n"));
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      byte[] signature = mac.doFinal(lines.getBytes(StandardCharsets.UTF_8));
      headers.put("Signature-Input", "hr=" + input);
      headers.put("Signature", "hr=:" + Base64.getEncoder().encodeToString(signature) + ":");
      return headers;
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
