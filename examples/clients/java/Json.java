import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as maps, lists, texts, numbers and booleans, because Java's library has none. If your service has
 * Jackson or Gson, let that do it.
 */
final class Json {
  private static final int DEPTH_MAX = 100;
  private final String text;
  private int at = 0;

  private Json(String text) {
    this.text = text;
  }

  /** Reads an object; an empty one if the text is something else. */
  @SuppressWarnings("unchecked") // names of an object are texts
  static Map<String, Object> readObject(String text) {
    try {
      Json json = new Json(text);
      Object value = json.value(0);
      json.space();
      if (json.at == text.length() && value instanceof Map<?, ?> object) return (Map<String, Object>) object;
    } catch (IllegalArgumentException | IndexOutOfBoundsException error) {
      // no JSON
    }
    return Map.of();
  }

  private Object value(int depth) {
    if (depth > DEPTH_MAX) throw new IllegalArgumentException("nested too deep");
    space();
    switch (text.charAt(at)) {
      case '{': {
        Map<String, Object> object = new LinkedHashMap<>();
        for (at++; !ends('}', object.isEmpty()); ) {
          space();
          String name = string();
          space();
          expect(":");
          object.put(name, value(depth + 1));
        }
        return object;
      }
      case '[': {
        List<Object> list = new ArrayList<>();
        for (at++; !ends(']', list.isEmpty()); ) list.add(value(depth + 1));
        return list;
      }
      case '"': return string();
      case 't': expect("true"); return true;
      case 'f': expect("false"); return false;
      case 'n': expect("null"); return null;
      default: return number();
    }
  }

  /** Goes past what stands before the next member, or past the end. */
  private boolean ends(char end, boolean isFirst) {
    space();
    if (text.charAt(at) == end) {
      at++;
      return true;
    }
    if (!isFirst) expect(",");
    return false;
  }

  private String string() {
    expect("\"");
    StringBuilder read = new StringBuilder();
    for (char next = text.charAt(at++); next != '"'; next = text.charAt(at++)) {
      if (next != '\\') {
        read.append(next);
        continue;
      }
      char escaped = text.charAt(at++);
      int known = "bfnrt\"\\/".indexOf(escaped);
      if (escaped == 'u') {
        read.append((char) Integer.parseInt(text.substring(at, at += 4), 16));
      } else if (known >= 0) {
        read.append("\b\f\n\r\t\"\\/".charAt(known));
      } else {
        throw new IllegalArgumentException("no escape: " + escaped);
      }
    }
    return read.toString();
  }

  private Number number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    String digits = text.substring(from, at);
    if (digits.matches("-?[0-9]{1,18}")) return Long.valueOf(digits);
    return Double.valueOf(digits);
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private void expect(String expected) {
    if (!text.startsWith(expected, at)) throw new IllegalArgumentException("expected " + expected);
    at += expected.length();
  }

  /** Writes what it reads. */
  static String write(Object value) {
    StringBuilder written = new StringBuilder();
    write(value, written);
    return written.toString();
  }

  private static void write(Object value, StringBuilder to) {
    if (value instanceof Map<?, ?> object) {
      to.append('{');
      for (Iterator<? extends Map.Entry<?, ?>> each = object.entrySet().iterator(); each.hasNext(); ) {
        Map.Entry<?, ?> member = each.next();
        write(String.valueOf(member.getKey()), to);
        to.append(':');
        write(member.getValue(), to);
        if (each.hasNext()) to.append(',');
      }
      to.append('}');
    } else if (value instanceof Iterable<?> list) {
      to.append('[');
      for (Iterator<?> each = list.iterator(); each.hasNext(); ) {
        write(each.next(), to);
        if (each.hasNext()) to.append(',');
      }
      to.append(']');
    } else if (value instanceof String text) {
      to.append('"');
      for (char each : text.toCharArray()) {
        // Half a pair of surrogates has no bytes: as an escape Headroom sees it, and refuses it.
        if (each < ' ' || each == '"' || each == '\\' || Character.isSurrogate(each))
          to.append("\\u%04x".formatted((int) each));
        else to.append(each);
      }
      to.append('"');
    } else if (value == null || value instanceof Number || value instanceof Boolean) {
      to.append(value);
    } else {
      throw new IllegalArgumentException("value is a " + value.getClass() + ", expected what JSON has");
    }
  }
}
