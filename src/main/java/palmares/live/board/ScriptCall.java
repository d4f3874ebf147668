package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

/** One call of a script. */
public record ScriptCall(byte[][] keys, byte[][] arguments) {
  /** The keys of one board begin with the same one. */
  String board() {
    return new String(keys[0], UTF_8);
  }
}
