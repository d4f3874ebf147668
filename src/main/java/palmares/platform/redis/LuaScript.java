package palmares.platform.redis;

import io.lettuce.core.codec.Base16;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A Lua script and its SHA-1 digest, by which Redis finds a script that it has run before. */
public record LuaScript(byte[] text, String digest) {
  /**
   * Reads a script from resources of a class's package.
   *
   * @param files are concatenated in this order
   */
  public static LuaScript read(Class<?> owner, String... files) {
    var text = new ByteArrayOutputStream();
    for (String file : files) {
      try (InputStream in = owner.getResourceAsStream(file)) {
        Objects.requireNonNull(in, file).transferTo(text);
      } catch (IOException e) {
        throw new UncheckedIOException(file, e);
      }
    }
    return new LuaScript(text.toByteArray(), Base16.digest(text.toByteArray()));
  }
}
