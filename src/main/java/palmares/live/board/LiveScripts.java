package palmares.live.board;

import palmares.platform.redis.LuaScript;

/** The Lua scripts of live boards. */
final class LiveScripts {
  static final LuaScript MAKE = LuaScript.read(LiveScripts.class, "make.lua");
  static final LuaScript OPEN = LuaScript.read(LiveScripts.class, "open.lua");
  static final LuaScript APPLY = LuaScript.read(LiveScripts.class, "apply.lua");
  static final LuaScript DECIDED = LuaScript.read(LiveScripts.class, "decided.lua");
  static final LuaScript SEAL = LuaScript.read(LiveScripts.class, "seal.lua");
  static final LuaScript UNSEAL = LuaScript.read(LiveScripts.class, "unseal.lua");
  static final LuaScript PAGE = LuaScript.read(LiveScripts.class, "look.lua", "page.lua");
  static final LuaScript FIND = LuaScript.read(LiveScripts.class, "look.lua", "find.lua");
  static final LuaScript EXCLUDE = LuaScript.read(LiveScripts.class, "exclude.lua");
  static final LuaScript ADOPT = LuaScript.read(LiveScripts.class, "adopt.lua");
  static final LuaScript GIVE_BACK = LuaScript.read(LiveScripts.class, "give_back.lua");
  static final LuaScript HALT = LuaScript.read(LiveScripts.class, "halt.lua");
  static final LuaScript RESET = LuaScript.read(LiveScripts.class, "reset.lua");
  static final LuaScript SKIP = LuaScript.read(LiveScripts.class, "skip.lua");
  static final LuaScript FORGET = LuaScript.read(LiveScripts.class, "forget.lua");
  static final LuaScript RESUME = LuaScript.read(LiveScripts.class, "resume.lua");
  static final LuaScript DOOM = LuaScript.read(LiveScripts.class, "doom.lua");
  static final LuaScript TRIM = LuaScript.read(LiveScripts.class, "trim.lua");
  static final LuaScript SLICE = LuaScript.read(LiveScripts.class, "slice.lua");

  private LiveScripts() {}
}
