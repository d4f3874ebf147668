package palmares.api.ops;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;

/** What members and boards have reached over all settled periods, and what a month has cost. */
@HttpExchange("/api/v1/ops")
public interface HistoryResource {
  /**
   * Returns a member's lines in the settled periods of a board, the latest first; a table begins
   * with its record.
   *
   * @param top the worst rank that counts for the streaks in the top
   * @param count the number of lines; null for 50 in a table, and all else
   * @param after the last period of the page before; null for the first page
   */
  @Operation("opsMember")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/members/{member}")
  Listing member(
      @PathVariable String board,
      @PathVariable String member,
      @RequestParam(defaultValue = "3") int top,
      @RequestParam(required = false) @Nullable Integer count,
      @RequestParam(required = false) @Nullable String after);

  /**
   * Returns registered members that a text names: the beginning of a nickname, an invite code, or
   * an id.
   */
  @Operation("opsMembers")
  @Requires(Role.VIEWER)
  @GetExchange("/members")
  Listing members(@RequestParam String search, PageRequest page);

  /**
   * Returns a member's lines in the settled periods of all boards, board by board, the latest
   * period first.
   *
   * @param count the number of lines of each board; null for 50 in a table, and all else
   */
  @Operation("opsMemberEverywhere")
  @Requires(Role.VIEWER)
  @GetExchange("/members/{member}")
  Listing everywhere(
      @PathVariable String member, @RequestParam(required = false) @Nullable Integer count);

  /** Returns what a member has reached on a board: best ever, awards and streaks. */
  @Operation("opsMemberRecord")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/members/{member}/record")
  Listing record(
      @PathVariable String board,
      @PathVariable String member,
      @RequestParam(defaultValue = "3") int top);

  /**
   * Returns the hall of fame of a board.
   *
   * @param count how many members of each kind, 1 to 1,000
   */
  @Operation("opsFame")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/fame")
  Listing fame(@PathVariable String board, @RequestParam(defaultValue = "10") int count);

  /**
   * Returns what each board paid in a month, by currency; a table ends with the boards' periods.
   *
   * @param month such as 2026-11
   * @param zone the time zone of its boundaries
   */
  @Operation("opsMonth")
  @Requires(Role.VIEWER)
  @GetExchange("/months/{month}")
  Listing month(@PathVariable String month, @RequestParam(defaultValue = "UTC") String zone);

  /** Returns how many periods of each board closed, were amended or are held. */
  @Operation("opsMonthPeriods")
  @Requires(Role.VIEWER)
  @GetExchange("/months/{month}/periods")
  Listing monthPeriods(@PathVariable String month, @RequestParam(defaultValue = "UTC") String zone);
}
