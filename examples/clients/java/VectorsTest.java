import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Compares signatures and paths with those that Headroom expects: java VectorsTest ../vectors.json */
final class VectorsTest {
  public static void main(String[] arguments) throws Exception {
    Map<String, Object> vectors = Json.readObject(Files.readString(Path.of(arguments[0])));
    for (Map<?, ?> each : listIn(vectors, "signatures"))
      assertEqual(
          each.get("why"),
          Headroom.signatureOf(
              (String) each.get("secret"),
              (String) each.get("timestamp"),
              (String) each.get("method"),
              (String) each.get("target"),
              ((String) each.get("body")).getBytes(StandardCharsets.UTF_8)),
          each.get("signature"));
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
