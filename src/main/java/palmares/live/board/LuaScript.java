package palmares.live.board;

import io.lettuce.core.codec.Base16;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A script, of files beside this package's classes, and the digest that Redis knows it by. */
record LuaScript(byte[] text, String digest) {
  static final LuaScript MAKE = read("make.lua");
  static final LuaScript OPEN = read("open.lua");
  static final LuaScript APPLY = read("apply.lua");
  static final LuaScript DECIDED = read("decided.lua");
  static final LuaScript SEAL = read("seal.lua");
  static final LuaScript UNSEAL = read("unseal.lua");
  static final LuaScript PAGE = read("look.lua", "page.lua");
  static final LuaScript FIND = read("look.lua", "find.lua");
  static final LuaScript EXCLUDE = read("exclude.lua");
  static final LuaScript CLAIM = read("claim.lua");
  static final LuaScript KEEP = read("keep.lua");
  static final LuaScript RELEASE = read("release.lua");
  static final LuaScript ADOPT = read("adopt.lua");
  static final LuaScript GIVE_BACK = read("give_back.lua");
  static final LuaScript HALT = read("halt.lua");
  static final LuaScript RESET = read("reset.lua");
  static final LuaScript SKIP = read("skip.lua");
  static final LuaScript FORGET = read("forget.lua");
  static final LuaScript RESUME = read("resume.lua");
  static final LuaScript DOOM = read("doom.lua");
  static final LuaScript TRIM = read("trim.lua");
  static final LuaScript SLICE = read("slice.lua");

  /** The files one after the other, as one script. */
  private static LuaScript read(String... files) {
    var text = new ByteArrayOutputStream();
    for (String file : files) {
      try (InputStream in = LuaScript.class.getResourceAsStream(file)) {
        Objects.requireNonNull(in, file).transferTo(text);
      } catch (IOException e) {
        throw new UncheckedIOException(file, e);
      }
    }
    return new LuaScript(text.toByteArray(), Base16.digest(text.toByteArray()));
  }
}
