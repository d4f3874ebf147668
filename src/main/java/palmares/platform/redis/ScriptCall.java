package palmares.platform.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * The keys and arguments of one run of a Lua script.
 *
 * @param keys at least one; all with the same hash tag. Calls with the same first key run in order
 */
public record ScriptCall(byte[][] keys, byte[][] arguments) {
  public static ScriptCall on(byte[]... keys) {
    return new ScriptCall(keys, new byte[0][]);
  }

  public ScriptCall with(byte[]... values) {
    return new ScriptCall(keys, values);
  }

  /** Returns the same call with these texts as arguments. */
  public ScriptCall with(String... texts) {
    return with(arguments(texts));
  }

  public static byte[][] arguments(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(UTF_8)).toArray(byte[][]::new);
  }

  String firstKey() {
    return new String(keys[0], UTF_8);
  }
}
