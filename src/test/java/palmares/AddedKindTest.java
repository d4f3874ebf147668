package palmares;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import palmares.live.intake.EventOrigin;
import palmares.rules.payout.RewardRule;

/**
 * A kind that is added to a closed set does not compile until every place that must know it does.
 * The sources concerned are compiled in memory, with the addition; nothing is written.
 */
class AddedKindTest {
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final Path ALL = Path.of("src");

  private static final String NOT_IMPLEMENTED = "compiler.err.does.not.override.abstract";
  private static final String NOT_COVERED = "compiler.err.not.exhaustive";

  private static final List<String> OPTIONS =
      List.of(
          "-proc:none",
          "-implicit:none",
          "-nowarn",
          "-Xmaxerrs",
          "1000",
          "-XDshould-stop.ifError=FLOW");

  private static final String NO_SUCH_METHOD = "compiler.err.cant.resolve.location.args";

  /** The files that do something for each kind of board. */
  private static final List<String> BY_BOARD_KIND =
      List.of(
          "AdoptedRights",
          "AdoptedSeal",
          "AdoptedSeal",
          "Adoptions",
          "ApprovalCheck",
          "ApprovalCheck",
          "ApprovalCheck",
          "Board",
          "BoardDescription",
          "BoardDescription",
          "ClosedMarks",
          "Expiry",
          "Extensions",
          "FillStep",
          "FrozenBoard",
          "FrozenLines",
          "JournalRows",
          "LateWriteCheck",
          "LiveMembers",
          "MemoryReport",
          "PeriodBoards",
          "PeriodFinder",
          "PeriodOpening",
          "Preview",
          "Reconciliation",
          "SealStep",
          "UnseenKeys",
          "Verification");

  private static final String KIND =
      "  record Streak(String name, String currency, long credits) implements MemberRule {%s}\n";

  private static final String ANSWERS =
      """

          @Override
          public boolean paysEverybody() {
            return false;
          }

          @Override
          public <R> R accept(Visitor<R> visitor) {
            return visitor.streak(this);
          }
      """;

  /** The first constant of each set in which a forgotten one ranks, keeps or pays wrongly. */
  private static final Map<String, String> FIRST_CONSTANTS =
      Map.ofEntries(
          entry("Scoring", "ADD"),
          entry("Tiebreak", "TIME"),
          entry("RankMethod", "UNIQUE"),
          entry("ExclusionLevel", "HIDDEN"),
          entry("Ties", "EACH"),
          entry("Match", "ALL"),
          entry("Eligible", "EVERYBODY"),
          entry("Forfeited", "NOBODY"),
          entry("Remainder", "FIRST"),
          entry("Denominator", "RANKED"),
          entry("Rounding", "UP"),
          entry("Approval", "NONE"),
          entry("OverpaymentPolicy", "TAKE"),
          entry("PeriodState", "OPEN"),
          entry("Verdict", "APPLIED"));

  /** The exhaustive switches of each file over them. */
  private static final Map<String, Integer> SWITCHES =
      Map.ofEntries(
          entry("LineCorrection", 1),
          entry("Approvals", 1),
          entry("ClosingController", 1),
          entry("PeriodList", 1),
          entry("PayoutForecasts", 1),
          entry("PayoutPreviews", 1),
          entry("PeriodHeading", 1),
          entry("ApprovalCheck", 1),
          entry("ApprovalPolicy", 2),
          entry("BatchOutcome", 3),
          entry("FrozenLines", 1),
          entry("FrozenSlices", 1),
          entry("Inbox", 1),
          entry("JournalFold", 1),
          entry("MemoryReport", 1),
          entry("OverpaymentPolicy", 1),
          entry("Payout", 3),
          entry("Payouts", 2),
          entry("PaymentDifferences", 1),
          entry("PayStep", 1),
          entry("ExclusionLevel", 2),
          entry("Rewards", 1),
          entry("RewardRule", 3),
          entry("PeriodState", 5),
          entry("PlacePrizes", 1),
          entry("PlaceNumbering", 1),
          entry("Preview", 1),
          entry("Ranking", 1),
          entry("Reasons", 1),
          entry("Relay", 1),
          entry("BoardCards", 1),
          entry("BoardDescription", 1),
          entry("Scale", 8),
          entry("SeatSql", 2),
          entry("Stake", 1),
          entry("StandingRanks", 1));

  @Test
  void anAddedKindOfRewardRuleMustSayWhatItIs() {
    var errors = errors(ALL, "Visitor<", source -> withKind(source, ""));
    assertThat(incomplete(errors)).containsExactly("Streak");
  }

  @Test
  void anAddedKindOfRewardRuleMustBeKnownToAllThatPayVerifyBoundAndExplain() {
    var errors =
        errors(
            ALL,
            "Visitor<",
            source -> withKind(withMethod(source, "streak(Streak rule)"), ANSWERS));
    assertThat(incomplete(errors))
        .containsExactly(
            "PrizeTable.OfRule",
            "Reasons.WhyByKind",
            "Rewards.RuleLine",
            "Rewards.WorstCase",
            "RuleParameters.ByKind",
            "RulePrizes.CreditsByKind",
            "RulePrizes.PrizesByKind",
            "UsualWay.Awards.CreditsByKind");
  }

  private static String withKind(String source, String answers) {
    int end = source.lastIndexOf('}');
    return source.contains("sealed interface RewardRule")
        ? source.substring(0, end) + KIND.formatted(answers) + source.substring(end)
        : source;
  }

  private static String withMethod(String source, String method) {
    String visitor = "interface Visitor<R> {\n";
    return source.replace(visitor, visitor + "    R " + method + ";\n");
  }

  /**
   * {@code RulePrizes.PrizesByKind} of {@code palmares.settlement.reward.RulePrizes.PrizesByKind is
   * not ...}.
   */
  private static Stream<String> incomplete(List<Diagnostic<? extends JavaFileObject>> errors) {
    assertThat(errors).extracting(Diagnostic::getCode).containsOnly(NOT_IMPLEMENTED);
    return errors.stream()
        .map(error -> error.getMessage(Locale.ENGLISH).split(" ", 2)[0])
        .map(type -> type.replaceAll("^([a-z]+\\.)*(RewardRule\\.)?", ""))
        .sorted();
  }

  @Test
  void everyKindOfRewardRuleHasItsOwnMethodOfTheVisitor() {
    var methods = RewardRule.Visitor.class.getMethods();
    assertThat(methods).noneMatch(method -> method.isDefault());
    assertThat(methods)
        .extracting(method -> method.getParameterTypes()[0])
        .containsExactlyInAnyOrderElementsOf(kinds(RewardRule.class).toList());
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(AddedKindTest::kinds)
        : Stream.of(type);
  }

  @Test
  void nobodyAsksARewardRuleForItsKind() {
    String kinds =
        kinds(RewardRule.class).map(Class::getSimpleName).collect(Collectors.joining("|"));
    String kind = "(RewardRule\\.)?(%s|PlaceRule|MemberRule)".formatted(kinds);
    assertThat(found(ALL, "\\binstanceof\\s+%1$s\\b|\\(%1$s\\) *[\\w(]".formatted(kind))).isEmpty();
  }

  /** Another origin would count as whichever is not asked for. */
  @Test
  void nobodyAsksEventsForTheKindOfTheirOrigin() {
    String kinds =
        kinds(EventOrigin.class).map(Class::getSimpleName).collect(Collectors.joining("|"));
    assertThat(found(ALL, "\\binstanceof\\s+(EventOrigin\\.)?(%s)\\b".formatted(kinds))).isEmpty();
  }

  @Test
  void anAddedKindOfBoardMustSayWhatItIs() {
    var errors = errors(MAIN, "interface BoardKind", AddedKindTest::withBoardKind);
    assertThat(errors).extracting(Diagnostic::getCode).containsExactlyInAnyOrder(NOT_IMPLEMENTED);
  }

  private static String withBoardKind(String source) {
    int end = source.lastIndexOf('}');
    return source.substring(0, end)
        + "record Declared() implements BoardKind {}\n"
        + source.substring(end);
  }

  @Test
  void anAddedKindOfBoardMustBeKnownToAllThatOpenReadCloseAndVerifyBoards() {
    var errors = errors(MAIN, "\\bBoardKind\\b|\\.kind\\(\\)", AddedKindTest::withOtherParameters);
    assertThat(errors)
        .extracting(Diagnostic::getCode)
        .containsOnly(NO_SUCH_METHOD, NO_SUCH_METHOD + ".params");
    assertThat(errors)
        .extracting(AddedKindTest::file)
        .containsExactlyInAnyOrderElementsOf(BY_BOARD_KIND);
  }

  /**
   * An added kind gives the methods one more parameter. They get other names here, because the
   * compiler of Java 17 itself fails when a lambda expression is given for a missing parameter.
   */
  private static String withOtherParameters(String source) {
    return source.contains("sealed interface BoardKind")
        ? source.replace(" map(", " mapWithAdded(").replace(" run(", " runWithAdded(")
        : source;
  }

  @Test
  void nobodyAsksABoardForItsKind() {
    assertThat(found(ALL, "\\binstanceof\\s+[\\w.]*\\b(Counted|Adopted)\\b")).isEmpty();
    assertThat(found(MAIN, "\\bboard\\.adoption\\(\\)|rules\\.adoption\\(\\)"))
        .allMatch(line -> line.contains("/live/board/Adopted"));
  }

  @Test
  void addedConstantsMustBeKnownToAllThatKeepRankPayAndSettleByThem() {
    var switches = new TreeMap<String, Integer>();
    String sets = String.join("|", FIRST_CONSTANTS.keySet());
    String constants = String.join("|", FIRST_CONSTANTS.values());
    String concerned = "\\benum (%s)\\b|\\bcase ([A-Z_]+,\\s+)*(%s)\\b".formatted(sets, constants);
    for (var error : errors(MAIN, concerned, AddedKindTest::withConstants)) {
      assertThat(error.getCode()).as("%s", error).isEqualTo(NOT_COVERED);
      switches.merge(file(error), 1, Integer::sum);
    }
    assertThat(switches).isEqualTo(SWITCHES);
  }

  private static String withConstants(String source) {
    String changed = source;
    for (var set : FIRST_CONSTANTS.entrySet()) {
      changed =
          changed.replaceFirst(
              "(\\benum %s\\b[^{]*\\{\\s*(?:/\\*\\*[\\s\\S]*?\\*/\\s*)?)(%s\\b)((?:\\([^)]*\\))?)"
                  .formatted(set.getKey(), set.getValue()),
              "$1ADDED$3, $2$3");
    }
    return changed;
  }

  private static String file(Diagnostic<? extends JavaFileObject> error) {
    return error.getSource().getName().replaceAll(".*[/\\\\]|\\.java$", "");
  }

  /** A comparison with one constant would take an added one for any of the others. */
  @Test
  void nobodyComparesARewardSettingWithOneConstant() {
    String settings = "Match|Eligible|Forfeited|Remainder|Denominator|Rounding|Approval";
    assertThat(found(MAIN, "[=!]= (\\w+\\.)*(%s|OverpaymentPolicy)\\.".formatted(settings)))
        .isEmpty();
  }

  @Test
  void noConstantMeansAnythingByItsPosition() {
    assertThat(found(MAIN, "\\bordinal\\(\\)|\\bEnumSet\\.range\\(|\\bvalues\\(\\)\\[\\D"))
        .isEmpty();
  }

  /**
   * The compiler's errors in all sources that have the pattern.
   *
   * @param change what is added to the sources, where they have the place for it
   */
  private static List<Diagnostic<? extends JavaFileObject>> errors(
      Path folder, String pattern, UnaryOperator<String> change) {
    Pattern concerned = Pattern.compile(pattern);
    var sources =
        sources(folder)
            .filter(source -> concerned.matcher(source.text).find())
            .map(source -> new Source(source.file, change.apply(source.text)))
            .toList();
    var found = new DiagnosticCollector<JavaFileObject>();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try {
      ((JavacTask) compiler.getTask(null, null, found, OPTIONS, null, sources)).analyze();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return found.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .toList();
  }

  private static List<String> found(Path folder, String wrong) {
    Pattern pattern = Pattern.compile(wrong);
    return sources(folder)
        .flatMap(
            source ->
                source
                    .text
                    .lines()
                    .filter(pattern.asPredicate())
                    .map(line -> source.file + ": " + line.strip()))
        .toList();
  }

  /** All but this one, which spells what it adds. */
  private static Stream<Source> sources(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("AddedKindTest.java"))
          .map(AddedKindTest::source)
          .toList()
          .stream();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Source source(Path file) {
    try {
      return new Source(file, Files.readString(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A source as its file has it, or changed. */
  private static final class Source extends SimpleJavaFileObject {
    private final Path file;
    private final String text;

    Source(Path file, String text) {
      super(URI.create("memory:///" + file.toString().replace('\\', '/')), Kind.SOURCE);
      this.file = file;
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
