package palmares.api.ops;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import palmares.api.http.Operation;
import palmares.api.http.Takes;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.replay.Replays.ReplayRow;
import palmares.operations.report.PayoutReport.PayoutLine;
import palmares.platform.time.DayOrTime;

/** What was posted for each member, summed by currency, for those who pay it out elsewhere. */
@HttpExchange("/api/v1/ops")
public interface PayoutResource {
  /**
   * Returns what was posted for a settled period.
   *
   * @param revision only what this revision posted; null for all
   * @param count the number of members in a table; null for 100, other formats have all
   */
  @Operation("opsPeriodPayout")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/payout")
  Rows<PayoutRow> period(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable Integer revision,
      @RequestParam(required = false) @Nullable Integer count);

  /**
   * Returns what was posted for the periods of a board.
   *
   * @param from a day in the board's zone, or a time: periods that start then or later
   * @param to a day or time: periods that start before
   */
  @Operation("opsBoardPayout")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/payout")
  Rows<PayoutRow> board(
      @PathVariable String board,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(required = false) @Nullable Integer count);

  /**
   * Returns what was posted for all boards in a month.
   *
   * @param month such as 2026-11
   * @param zone the time zone of its boundaries
   */
  @Operation("opsMonthPayout")
  @Requires(Role.VIEWER)
  @GetExchange("/months/{month}/payout")
  Rows<PayoutRow> month(
      @PathVariable String month,
      @RequestParam(defaultValue = "UTC") String zone,
      @RequestParam(required = false) @Nullable Integer count);

  /**
   * Compares what other rules would have paid for settled periods with what was paid: the sums, by
   * month and by rule, who would have got more or less, and the budgets that would have held them.
   * Writes nothing.
   */
  @Operation("opsReplay")
  @Requires(Role.VIEWER)
  @PostExchange("/boards/{board}/replay")
  Rows<ReplayRow> replay(@PathVariable String board, @RequestBody ReplayRequest body);

  /**
   * The body of a comparison with other rules.
   *
   * @param rules the text of a board file, of which only rewards and payout may differ
   * @param from a day in the board's zone, or a time: periods that start then or later; null for
   *     all
   * @param to a day or time: periods that start before; null for all
   * @param top how many members to name who would get more, and less; null for 10
   */
  record ReplayRequest(
      String rules,
      @Nullable @Takes(DayOrTime.class) String from,
      @Nullable @Takes(DayOrTime.class) String to,
      @Nullable Integer top) {}

  /**
   * The sums of a member's transfers in one currency.
   *
   * @param reference what the file is about, and the member; the same in each file with the same
   *     payment
   */
  record PayoutRow(String reference, @JsonUnwrapped PayoutLine line) {}
}
