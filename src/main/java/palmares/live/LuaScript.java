package palmares.live;

import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** One of the scripts beside this package's classes, and the digest that Redis knows it by. */
record LuaScript(byte[] text, String digest) {
  static final LuaScript OPEN = read("open.lua");
  static final LuaScript APPLY = read("apply.lua");
  static final LuaScript DECIDED = read("decided.lua");
  static final LuaScript SEAL = read("seal.lua");
  static final LuaScript PAGE = read("page.lua");

  private static LuaScript read(String file) {
    try (InputStream in = LuaScript.class.getResourceAsStream(file)) {
      byte[] text = Objects.requireNonNull(in, file).readAllBytes();
      return new LuaScript(text, Base16.digest(text));
    } catch (IOException e) {
      throw new UncheckedIOException(file, e);
    }
  }
}
