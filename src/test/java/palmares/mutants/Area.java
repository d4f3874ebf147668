package palmares.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Files that hold laws, and the tests about these, the nearest first. */
enum Area {
  EVENTS(
      "live events",
      List.of("resources/palmares/live/board/apply_events.lua"),
      List.of(
          "live.intake.ValuesTest",
          "live.intake.ActivityTest",
          "live.board.BatchOrderTest",
          "live.intake.OutcomesTest",
          "live.intake.EventTimesTest",
          "live.board.LiveExclusionsTest",
          "settlement.lines.OrderLawTest",
          "live.intake.TrimmedIdsTest",
          "live.board.OneCallLawTest")),
  LIVE_BOARDS(
      "live boards",
      List.of(
          "resources/palmares/live/board/is_torn.lua",
          "resources/palmares/live/board/query_page.lua",
          "resources/palmares/live/board/query_prelude.lua",
          "resources/palmares/live/board/set_exclusions.lua",
          "resources/palmares/live/board/trim_journal.lua",
          "resources/palmares/live/board/trim_ids.lua",
          "resources/palmares/live/board/seal_board.lua",
          "resources/palmares/live/board/unseal_board.lua"),
      List.of(
          "live.board.LiveExclusionsTest",
          "live.intake.TrimmedIdsTest",
          "live.journal.JournalTest",
          "live.relay.LostTailTest",
          "live.intake.SealedPeriodsTest",
          "live.board.IdTrimmingRaceTest",
          "period.exclusion.FinalOrderLawTest")),
  LEASES(
      "leases",
      List.of("java/palmares/period/Leases.java"),
      List.of("settlement.closing.OwnersTest")),
  BUDGETS(
      "budgets and approvals",
      List.of(
          "java/palmares/settlement/reward/ApprovalCheck.java",
          "java/palmares/settlement/reward/BudgetCheck.java",
          "resources/palmares/settlement/reward/cost-of-other-periods.sql",
          "resources/palmares/settlement/reward/usual-payouts.sql"),
      List.of("settlement.closing.BudgetsTest", "settlement.closing.HoldsTest")),
  PRIZES(
      "prizes",
      List.of(
          "java/palmares/settlement/reward/SeatSql.java",
          "java/palmares/settlement/reward/RulePrizes.java",
          "java/palmares/settlement/reward/Awards.java",
          "resources/palmares/settlement/reward/held-ties.sql",
          "resources/palmares/settlement/reward/own-prizes.sql",
          "resources/palmares/settlement/reward/ranked-lines.sql",
          "resources/palmares/settlement/reward/seats.sql",
          "resources/palmares/settlement/reward/shared-prizes.sql",
          "resources/palmares/settlement/reward/write-differences.sql",
          "resources/palmares/settlement/reward/write-tier-moves.sql"),
      List.of(
          "settlement.reward.PrizeEdgesTest",
          "settlement.reward.TiersTest",
          "settlement.reward.ShippedPrizesTest",
          "settlement.reward.TieSharingTest",
          "operations.amendment.IndependentChangesTest",
          "settlement.reward.AwardLawTest")),
  RANKING(
      "ranking",
      List.of(
          "java/palmares/settlement/lines/Ranking.java",
          "java/palmares/settlement/lines/JournalFold.java",
          "java/palmares/settlement/lines/Shortfalls.java"),
      List.of(
          "settlement.lines.OrderLawTest",
          "settlement.lines.DecisionsTest",
          "period.exclusion.FinalOrderLawTest",
          "operations.amendment.IndependentChangesTest")),
  LAWS(
      "laws of the database",
      List.of("db/migration/R__laws.sql"),
      List.of(
          "settlement.reward.LedgerLawsTest",
          "period.PeriodStatesTest",
          "settlement.closing.OwnersTest",
          "settlement.manifest.ManifestTest",
          "period.exclusion.ExclusionLawsTest",
          "operations.report.MonthEndTest",
          "operations.rebuild.AcknowledgedLossTest#"
              + "theDatabaseKeepsSealedFiguresAndRefusesUnacknowledgedLosses",
          "settlement.verification.TamperingTest"));

  private static final Path MAIN = Path.of("src", "main");

  private final String title;
  private final List<String> files;
  private final List<String> tests;

  Area(String title, List<String> files, List<String> tests) {
    this.title = title;
    this.files = files;
    this.tests = tests;
  }

  /** As a campaign is asked for it. */
  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String title() {
    return title;
  }

  List<String> tests() {
    return tests.stream().map(test -> "palmares." + test).toList();
  }

  List<Mutant> mutants() {
    return files.stream().flatMap(file -> Mutant.of(path(file)).stream()).toList();
  }

  private static Path path(String file) {
    return file.startsWith("db/") ? Path.of(file) : MAIN.resolve(file);
  }

  static Stream<Mutant> all() {
    return Stream.of(values()).flatMap(area -> area.mutants().stream());
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
