import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares signatures and paths with those that Headroom expects: java VectorsTest ../vectors.json */
final class VectorsTest {
  public static void main(String[] arguments) throws Exception {
    Map<String, Object> vectors = Json.readObject(Files.readString(Path.of(arguments[0])));
    for (Map<?, ?> each : listIn(vectors, "signatures")) {
      Map<String, String> deciding = new LinkedHashMap<>();
      for (String name : List.of("x-actor", "if-match", "if-none-match"))
        if (((Map<?, ?>) each.get("headers")).get(name) instanceof String value) deciding.put(name, value);
      Map<String, String> found =
          Headroom.signatureHeaders(
              (String) each.get("appId"),
              (String) each.get("secret"),
              ((Number) each.get("created")).longValue(),
              (String) each.get("nonce"),
              (String) each.get("method"),
              (String) each.get("target"),
              deciding,
              ((String) each.get("body")).getBytes(StandardCharsets.UTF_8));
      assertEqual(each.get("why"), found.getOrDefault("Content-Digest", ""), each.get("contentDigest"));
      assertEqual(each.get("why"), found.get("Signature-Input"), each.get("signatureInput"));
      assertEqual(each.get("why"), found.get("Signature"), each.get("signature"));
    }
    for (Map<?, ?> each : listIn(vectors, "targets")) {
      String orderId = (String) each.get("orderId");
      assertEqual(orderId, Headroom.statusTarget(orderId), each.get("target"));
    }
    // What is written is read again as it was.
    assertEqual("Json", Json.readObject(Json.write(vectors)), vectors);
    System.out.println("all vectors are right");
  }

  @SuppressWarnings("unchecked") // as vectors.json is
  private static List<Map<?, ?>> listIn(Map<String, Object> vectors, String name) {
    if (vectors.get(name) instanceof List<?> list && !list.isEmpty()) return (List<Map<?, ?>>) list;
    throw new AssertionError(name + " is missing or empty, expected a list of vectors");
  }

  private static void assertEqual(Object what, Object found, Object expected) {
    if (!expected.equals(found)) throw new AssertionError(what + ": " + found + ", expected " + expected);
  }
}
