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
          "live.intake.TrimmedIdsTest",
          "live.intake.SealedPeriodsTest",
          "live.journal.HaltedBoardTest#aTornBoardIsNeitherWrittenNorReadUntilItIsRebuilt",
          "live.journal.HaltedBoardTest#aBoardWhoseJournalHasAGapTakesNoEventsAndIsRead",
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
          "live.journal.HaltedBoardTest",
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
      List.of("settlement.lines.RankingTest", "settlement.lines.OrderLawTest")),
  AMENDMENTS(
      "amendments",
      List.of("resources/palmares/settlement/reward/write-differences.sql"),
      List.of("operations.amendment.AmendmentLawsTest", "settlement.reward.LedgerModelTest")),
  LAWS_OF_TEXTS(
      "laws: months, texts and sums",
      List.of(
          "db/migration/R__laws.sql # Months",
          "db/migration/R__laws.sql # States",
          "db/migration/R__laws.sql # Sentences",
          "db/migration/R__laws.sql # Checksums"),
      List.of(
          "settlement.manifest.ChecksumTest",
          "settlement.manifest.ManifestTest",
          "settlement.closing.BudgetsTest",
          "settlement.verification.ExclusionTamperingTest",
          "operations.rebuild.AcknowledgedLossTest")),
  LAWS_OF_PEOPLE(
      "laws: who acts and approves",
      List.of("db/migration/R__laws.sql # Who acts", "db/migration/R__laws.sql # Revisions"),
      List.of(
          "settlement.closing.TwoPeopleTest",
          "api.identity.ApiKeyCheckTest",
          "api.ops.AccountsApiTest",
          "cli.AmendedPeriodCommandsTest",
          "operations.archive.ArchivesTest")),
  LAWS_OF_PERIODS(
      "laws: periods and exclusions",
      List.of(
          "db/migration/R__laws.sql # Periods",
          "db/migration/R__laws.sql # Exclusions",
          "db/migration/R__laws.sql # What is never edited"),
      List.of(
          "period.PeriodStatesTest",
          "period.exclusion.ExclusionLawsTest",
          "live.member.RegistrationLawsTest",
          "operations.rebuild.AcknowledgedLossTest",
          "settlement.outbox.WalletTest")),
  LAWS_OF_OUTCOMES(
      "laws: outcomes",
      List.of(
          "db/migration/R__laws.sql # Outcomes: their lines and payments",
          "db/migration/R__laws.sql # Posting"),
      List.of(
          "settlement.reward.LedgerLawsTest",
          "settlement.lines.DecisionsTest",
          "settlement.closing.OwnersTest",
          "PaymentReadersTest")),
  LAWS_OF_TABLES(
      "laws: tables of outcomes",
      List.of("db/migration/R__laws.sql # Own tables of outcomes"),
      List.of("PaymentReadersTest", "settlement.reward.LedgerLawsTest")),
  LAWS_OF_READING(
      "laws: reading lines",
      List.of("db/migration/R__laws.sql # Reading lines"),
      List.of("operations.report.MemberHistoryTest", "settlement.manifest.BigManifestTest")),
  LAWS_OF_CHAINS(
      "laws: chains",
      List.of(
          "db/migration/R__laws.sql # The chains of audit entries and of manifests",
          "db/migration/R__laws.sql # Replicas"),
      List.of("settlement.manifest.ManifestTest", "operations.report.MonthEndTest"));

  private static final Path MAIN = Path.of("src", "main");

  /** The heading of a part of a file. */
  private static final String HEADING = "-- ---- ";

  private final String title;

  /** Each may end with the heading of its part, after a hash sign. */
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
    return files.stream().flatMap(file -> mutants(file.split(" # ", 2))).toList();
  }

  private static Stream<Mutant> mutants(String... fileAndHeading) {
    Path file = path(fileAndHeading[0]);
    List<Mutant> all = Mutant.of(file);
    if (fileAndHeading.length == 1) {
      return all.stream();
    }
    List<String> lines = Mutant.lines(file);
    int from = lines.indexOf(HEADING + fileAndHeading[1]);
    int to = from + 1;
    while (to < lines.size() && !lines.get(to).startsWith(HEADING)) {
      to++;
    }
    int end = to;
    if (from < 0) {
      throw new AssertionError("%s has no heading '%s'".formatted((Object[]) fileAndHeading));
    }
    return all.stream().filter(mutant -> mutant.number() > from && mutant.number() < end);
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
