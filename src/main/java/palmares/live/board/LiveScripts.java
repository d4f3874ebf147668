package palmares.live.board;

import palmares.platform.redis.LuaScript;

/** The Lua scripts of live boards. */
final class LiveScripts {
  static final LuaScript CREATE_BOARD = read("create_board.lua");
  static final LuaScript OPEN_BOARD = read("open_board.lua");
  static final LuaScript REPLACE_RULES = read("replace_rules.lua");
  static final LuaScript APPLY_EVENTS = read("is_torn.lua", "apply_events.lua");
  static final LuaScript FIND_DECISION = read("is_torn.lua", "find_decision.lua");
  static final LuaScript SEAL_BOARD = read("seal_board.lua");
  static final LuaScript UNSEAL_BOARD = read("unseal_board.lua");
  static final LuaScript QUERY_PAGE = query("query_page.lua");
  static final LuaScript QUERY_MEMBERS = query("query_members.lua");
  static final LuaScript SET_EXCLUSIONS = read("set_exclusions.lua");
  static final LuaScript SEAL_ADOPTED_BOARD = read("seal_adopted_board.lua");
  static final LuaScript RETURN_ADOPTED_BOARD = read("return_adopted_board.lua");
  static final LuaScript HALT_BOARD = read("halt_board.lua");
  static final LuaScript CHECK_BOARD = read("is_torn.lua", "check_board.lua");
  static final LuaScript SET_HALT = read("set_halt.lua");
  static final LuaScript MARK_CLOSED = read("mark_closed.lua");
  static final LuaScript RESET_BOARD = read("reset_board.lua");
  static final LuaScript SKIP_NUMBER = read("skip_number.lua");
  static final LuaScript RESUME_BOARD = read("resume_board.lua");
  static final LuaScript TRIM_IDS = read("trim_ids.lua");
  static final LuaScript TRIM_JOURNAL = read("trim_journal.lua");
  static final LuaScript KEEP_JOURNAL = read("keep_journal.lua");
  static final LuaScript MARK_FOR_DELETION = read("mark_for_deletion.lua");
  static final LuaScript DELETE_SLICE = read("delete_slice.lua");

  private LiveScripts() {}

  private static LuaScript query(String file) {
    return read("is_torn.lua", "query_prelude.lua", file);
  }

  private static LuaScript read(String... files) {
    return LuaScript.read(LiveScripts.class, files);
  }
}
