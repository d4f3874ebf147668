package palmares.api.ops;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.member.QualifyingInvites;
import palmares.operations.report.HallOfFame.FameLine;
import palmares.operations.report.MonthReport.MonthPeriods;
import palmares.operations.report.MonthReport.MonthSum;
import palmares.platform.output.Summed;
import palmares.platform.text.Money;

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
  Rows<MemberLineRow> member(
      @PathVariable String board,
      @PathVariable String member,
      @RequestParam(defaultValue = "3") int top,
      @RequestParam(required = false) @Nullable Integer count,
      @RequestParam(required = false) @Nullable String after);

  /**
   * Returns registered members that a text names.
   *
   * @param search the beginning of a nickname, an invite code, or an id
   */
  @Operation("opsMembers")
  @Requires(Role.VIEWER)
  @GetExchange("/members")
  Rows<MemberRow> members(@RequestParam String search, PageRequest page);

  /**
   * Returns the invites that must qualify, by board, the latest first.
   *
   * @param inviter only this member's; null for all
   * @param pending whether to list only those that can still qualify
   */
  @Operation("opsInvites")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/invites")
  Rows<QualifyingInvites.Entry> invites(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String inviter,
      @RequestParam(defaultValue = "false") boolean pending,
      PageRequest page);

  /**
   * Returns a member's lines in the settled periods of all boards, board by board, the latest
   * period first.
   *
   * @param count the number of lines of each board; null for 50 in a table, and all else
   */
  @Operation("opsMemberEverywhere")
  @Requires(Role.VIEWER)
  @GetExchange("/members/{member}")
  Rows<BoardMemberLineRow> everywhere(
      @PathVariable String member, @RequestParam(required = false) @Nullable Integer count);

  /**
   * Returns what a member has reached on a board: best ever, awards and streaks.
   *
   * @param top the worst rank that counts for the streaks in the top
   */
  @Operation("opsMemberRecord")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/members/{member}/record")
  Rows<MemberRecordRow> record(
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
  Rows<FameLine> fame(@PathVariable String board, @RequestParam(defaultValue = "10") int count);

  /**
   * Returns what each board paid in a month, by currency; a table ends with the boards' periods.
   *
   * @param month such as 2026-11
   * @param zone the time zone of its boundaries
   */
  @Operation("opsMonth")
  @Requires(Role.VIEWER)
  @GetExchange("/months/{month}")
  Rows<MonthSum> month(@PathVariable String month, @RequestParam(defaultValue = "UTC") String zone);

  /** Returns how many periods of each board closed, were amended or are held. */
  @Operation("opsMonthPeriods")
  @Requires(Role.VIEWER)
  @GetExchange("/months/{month}/periods")
  Rows<MonthPeriods> monthPeriods(
      @PathVariable String month, @RequestParam(defaultValue = "UTC") String zone);

  /**
   * Explains one member's result.
   *
   * @param events the number of its last events to list, 0 to 10,000
   * @param page whether a table is a self-contained HTML page instead
   */
  @Operation("opsExplain")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/members/{member}/explanation")
  Listing explain(
      @PathVariable String board,
      @PathVariable String period,
      @PathVariable String member,
      @RequestParam(defaultValue = "50") int events,
      @RequestParam(defaultValue = "false") boolean page);

  /**
   * A member's line in a settled period.
   *
   * @param place the place on the board, from 1
   * @param rank null if the member had none
   * @param members how many members had a line
   * @param thenBy the second key of the board; null if it has none
   * @param reachedAt when the points were last changed; null if that is not known
   * @param credits what it was awarded in credits
   * @param otherPrizes what it was awarded in other currencies
   */
  record MemberLineRow(
      String period,
      Instant startsAt,
      int revision,
      long place,
      @Nullable Long rank,
      long members,
      long points,
      @Nullable Long thenBy,
      @Nullable Instant reachedAt,
      @Summed long credits,
      List<Money> otherPrizes) {}

  /** A member's line on one of all boards. */
  record BoardMemberLineRow(String board, @JsonUnwrapped MemberLineRow line) {}

  /**
   * A registered member.
   *
   * @param invites the number of members that it has invited
   */
  record MemberRow(
      String member, String nickname, String inviteCode, long invites, Instant registeredAt) {}

  /**
   * Says what a member has reached in all settled periods of a board.
   *
   * @param periods how many periods of the board are settled
   * @param played in how many of them the member has a line
   * @param wins how often it had rank 1
   * @param podiums how often it had rank 3 or a better one
   * @param bestRank null if it never had a rank
   * @param bestRankIn the latest period in which it had its best rank; null if it never had one
   * @param bestPoints null if it has no line
   * @param bestPointsIn the latest period in which it had its best points; null if it has no line
   * @param credits what it was awarded in credits
   * @param otherPrizes what it was awarded in other currencies
   * @param streak in how many periods in a row it has a line, up to the latest one
   * @param longestStreak the most periods in a row in which it has a line
   * @param longestStreakFrom the first of these periods; null if there are none
   * @param longestStreakTo the last of them; null if there are none
   * @param top the worst rank that counts for the streaks in the top
   * @param topStreak in how many periods in a row it was in the top, up to the latest one
   * @param longestTopStreak the most periods in a row in which it was in the top
   * @param longestTopStreakFrom the first of these periods; null if there are none
   * @param longestTopStreakTo the last of them; null if there are none
   */
  record MemberRecordRow(
      long periods,
      long played,
      long wins,
      long podiums,
      @Nullable Long bestRank,
      @Nullable String bestRankIn,
      @Nullable Long bestPoints,
      @Nullable String bestPointsIn,
      long credits,
      List<Money> otherPrizes,
      long streak,
      long longestStreak,
      @Nullable String longestStreakFrom,
      @Nullable String longestStreakTo,
      int top,
      long topStreak,
      long longestTopStreak,
      @Nullable String longestTopStreakFrom,
      @Nullable String longestTopStreakTo) {}
}
