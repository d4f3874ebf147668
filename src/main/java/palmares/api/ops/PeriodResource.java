package palmares.api.ops;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import palmares.api.http.Operation;
import palmares.api.ops.ExclusionResource.ExclusionRow;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.operations.report.LedgerReport.MovedLine;
import palmares.operations.report.PeriodExclusions.ExclusionStatus;
import palmares.operations.report.RevisionHistory.RevisionSummary;
import palmares.platform.text.Sentence;

/** Periods, their results, and what these rest on. */
@HttpExchange("/api/v1/ops")
public interface PeriodResource {
  /**
   * Lists periods, the latest start first.
   *
   * @param state null for any
   * @param from a day in the board's zone, or a time: periods that start then or later
   * @param to a day or time: periods that start before
   * @param attention whether to list only those that a person should look at
   */
  @Operation("opsPeriodList")
  @Requires(value = Role.VIEWER, boardInQuery = true)
  @GetExchange("/periods")
  Rows<PeriodRow> list(
      @RequestParam(required = false) @Nullable String board,
      @RequestParam(required = false) @Nullable String state,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(defaultValue = "false") boolean attention,
      PageRequest page);

  /** Returns one period, with the ETag that verbs take as {@code If-Match}. */
  @Operation("opsGetPeriod")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}")
  ResponseEntity<Rows<PeriodRow>> get(@PathVariable String board, @PathVariable String period);

  /**
   * Returns the palmarès of the settled periods of a board, the earliest first.
   *
   * @param from a day in the board's zone, or a time: periods that start then or later
   * @param to a day or time: periods that start before
   * @param top the number of places of each; null for 100 in a table, and all else
   */
  @Operation("opsReports")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/report")
  Listing reports(
      @PathVariable String board,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(required = false) @Nullable Integer top);

  /**
   * Returns the palmarès of a settled period, or one of its revisions in any status.
   *
   * @param revision null for the one in force
   * @param top the number of places; null for 100 in a table, and all else
   */
  @Operation("opsReport")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/report")
  Listing report(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable Integer revision,
      @RequestParam(required = false) @Nullable Integer top);

  /** Lists the revisions of a period: who prepared each, why, and its status. */
  @Operation("opsRevisions")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/revisions")
  Rows<RevisionSummary> revisions(
      @PathVariable String board, @PathVariable String period, PageRequest page);

  /**
   * Lists the exclusions that a revision was computed with, by member, and what has changed since;
   * before the seal, those in force for the period.
   *
   * @param revision null for the one in force
   */
  @Operation("opsPeriodExclusions")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/exclusions")
  Rows<PeriodExclusionRow> exclusions(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable Integer revision,
      PageRequest page);

  /**
   * Returns the manifest of a posted revision, a field a line.
   *
   * @param revision null for the one in force
   */
  @Operation("opsManifest")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/manifest")
  Rows<ManifestField> manifest(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable Integer revision);

  /**
   * Returns what an open period would pay if it ended now, what a held one will pay, or what a
   * settled one has paid.
   */
  @Operation("opsPreview")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/preview")
  Listing preview(
      @PathVariable String board,
      @PathVariable String period,
      @RequestParam(required = false) @Nullable Integer top);

  /** Returns what a period moved in the ledger, by revision, purpose and rule. */
  @Operation("opsTransfers")
  @Requires(Role.VIEWER)
  @GetExchange("/boards/{board}/periods/{period}/transfers")
  Rows<MovedLine> transfers(@PathVariable String board, @PathVariable String period);

  /**
   * A period as an operator sees it.
   *
   * @param state its state in a word
   * @param closesAt when its closing is due; null if that is not known yet
   * @param nextStartsAt when the board's next period starts; null if it has not opened
   * @param members how many members have a line; null before it is settled
   * @param workedOnBy the process that works on it; null if none does
   * @param failures how often its closing has failed
   * @param failure why the last one did; null if none has
   * @param next what comes next; null if nothing does
   */
  record PeriodRow(
      String board,
      String period,
      String state,
      int revision,
      Instant startsAt,
      Instant endsAt,
      @Nullable Instant closesAt,
      @Nullable Instant nextStartsAt,
      @Nullable Long members,
      @Nullable Instant settledAt,
      @Nullable String workedOnBy,
      int failures,
      @Nullable Sentence failure,
      @Nullable Sentence next) {}

  /**
   * An exclusion as a revision has it.
   *
   * @param status {@code applied}; {@code lifted-since}, or {@code added-since}, if it was after
   *     the exclusions were frozen; or {@code in-force} if it applies now and did not then, or
   *     nothing is frozen yet
   */
  record PeriodExclusionRow(@JsonUnwrapped ExclusionRow exclusion, ExclusionStatus status) {}

  /** A line of a manifest. */
  record ManifestField(String field, String value) {}
}
