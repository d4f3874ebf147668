package palmares.settlement.verification;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import palmares.platform.sql.SqlFile;
import palmares.settlement.decisions.DecisionSql;
import palmares.settlement.outcome.OutcomeTables;

/**
 * A comparison of derived rows with stored rows, in the SQL file of its name, which says what it
 * proves.
 *
 * <p>Each file selects rows of {@code period_id, what, derived, stored} where the two differ. These
 * are sentences of the family {@code difference}; derived and stored may also be texts that are the
 * same in every language. A null in {@code derived} is something extra, in {@code stored} something
 * missing. The statement returns the first of them only, and in each row how many there are. The
 * outcomes are parameters, so that the planner opens no table of another period: {@code :closings}
 * are the first outcomes of the periods {@code :ids}, {@code :outcomes} those of {@code :revision},
 * {@code :formers} those posted before it.
 */
enum Check {
  ACKNOWLEDGED_LOSSES,
  APPROVALS_FROM_RULES,
  ARCHIVED_PERIODS,
  AUDIT_LOG_CHAIN,
  BOUNDS_FROM_MANIFESTS,
  CORRECTIONS_FROM_LATE_EVENTS,
  CREDITS_FROM_QUALIFICATIONS,
  DECISIONS_FROM_RULES(DecisionSql.WRONG),
  DEFINITIONS,
  DRAINED_EVENTS,
  EVENTS_FROM_ACTIONS,
  EXCLUSIONS_FROM_AUDIT_LOG,
  FLAGGED_LINES,
  FROZEN_EXCLUSIONS,
  HOLDS_FROM_AUDIT_LOG,
  IMPORTS_FROM_AUDIT_LOG,
  JOURNAL_FROM_COMMITS,
  LATE_EVENTS_FROM_AUDIT_LOG,
  LINE_DECISIONS_FROM_AUDIT_LOG,
  LINES_FROM_CLOSING,
  LINES_FROM_CORRECTIONS,
  LINES_FROM_JOURNAL,
  MANIFEST_CHAIN,
  MANIFEST_SUMS,
  ORDER_LOSSES_FROM_LINES,
  PAYMENTS_FROM_DIFFERENCES,
  PAYMENTS_FROM_MANIFESTS,
  PAYMENTS_FROM_RULES,
  PLACES_FROM_LINES,
  POPULATION,
  POSTED_REVISIONS,
  PRIZES_FROM_RULES,
  QUARANTINE_FROM_AUDIT_LOG,
  ROWS_OF_NO_OUTCOME,
  ROWS_OF_NO_PERIOD,
  TABLES_OF_NO_OUTCOME,
  TIER_MOVES_FROM_LINES,
  TIES_FROM_RULES,
  UNCOMMITTED_EVENTS,
  UNSETTLED_PERIODS,
  WITHHELD_AWARDS;

  /** Tables whose rows are of a period, which is the beginning of their primary key. */
  static final List<String> TABLES_OF_PERIODS =
      List.of(
          "event",
          "committed_event",
          "revision",
          "frozen_exclusion",
          "correction",
          "amended_line",
          "tier_move",
          "flagged_line",
          "line_decision",
          "manifest");

  /** Tables whose rows are of an outcome. */
  static final List<String> TABLES_OF_OUTCOMES = List.of("line", "payment", "withheld_award");

  /**
   * Counts all differences in the database and returns the first, in the order of the file. There
   * may be millions: they are kept once, on disk if they are many, and never sent.
   */
  private static final String BOUNDED =
      """
      with difference as materialized (
      %s
      ), counted as (
        select
          count(*) filter (where stored is null) as missing,
          count(*) filter (where derived is null and stored is not null) as extra,
          count(*) filter (where derived is not null and stored is not null) as unequal
        from difference
      )
      select
        period_id,
        what,
        to_jsonb(derived) as derived,
        to_jsonb(stored) as stored,
        missing,
        extra,
        unequal
      from (select * from difference limit %s) first
      cross join counted
      """;

  private final String sql;

  Check() {
    this(null);
  }

  /**
   * @param shared the statement, if others use it, too; null to read the file
   */
  Check(@Nullable String shared) {
    sql = shared == null ? SqlFile.read(Check.class, file()) : shared;
    String unknown = sql.replaceAll("\\{(lines|payments|table)}", "");
    if (unknown.contains("{") || !sql.matches("(?s).*\\bwhat\\b.*\\bderived\\b.*")) {
      throw new IllegalStateException(file() + " does not return differences");
    }
  }

  String file() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".sql";
  }

  /** The statement, for outcomes in these tables. */
  String sql(OutcomeTables tables) {
    return bounded(tables.in(sql));
  }

  /** The statement, for one of the tables that the check is run on. */
  String sql(String table) {
    return bounded(sql.replace("{table}", table));
  }

  private static String bounded(String sql) {
    return BOUNDED.formatted(sql, Findings.MAX_NAMED_DIFFERENCES);
  }
}
