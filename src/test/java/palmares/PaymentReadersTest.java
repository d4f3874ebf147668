package palmares;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of payments holds those of outcomes that are not posted yet, which are no money. Who
 * needs to know what was paid reads the views; the code here may read the table itself.
 *
 * <p>No other string or statement names the table or one of its partitions, however it is put
 * together, or reads a view of awards that are not posted.
 */
class PaymentReadersTest {
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src", "main", "java", "palmares"),
          Path.of("src", "main", "resources", "palmares"),
          Path.of("src", "bench"),
          Path.of("db", "migration"));

  private static final String SAYS = "says the word to people; reads nothing";

  /** Files, statements of the migrations, and why. */
  private static final Map<String, String> READERS =
      Map.ofEntries(
          entry(
              "settlement/outcome/OutcomeTables.java",
              "names the tables of an outcome, and its awards"),
          entry("settlement/outcome/PaymentSums.java", "adds up what a person is to approve"),
          entry("settlement/outcome/Revisions.java", "counts, posts and forgets them"),
          entry("settlement/reward/Awards.java", "computes and writes them"),
          entry("settlement/reward/RevisionContext.java", "says where awards are written"),
          entry("settlement/reward/ReplayedAwards.java", "compares them with other rules"),
          entry("settlement/reward/Withholding.java", "withholds those of flagged lines"),
          entry("settlement/reward/PaymentDifferences.java", "writes those of an amendment"),
          entry("settlement/reward/write-differences.sql", "writes those of an amendment"),
          entry("settlement/reward/BudgetCheck.java", "adds up what is about to be paid"),
          entry("settlement/reward/usual-payouts.sql", "compares what is about to be paid"),
          entry("settlement/verification/Check.java", "names the tables that it verifies"),
          entry("settlement/verification/payments-from-differences.sql", "derives them again"),
          entry("settlement/verification/approvals-from-rules.sql", "asks whether a rest pays"),
          entry("settlement/verification/payments-from-manifests.sql", "adds up what is stored"),
          entry("settlement/verification/parts/compared-payments.sql", "compares them"),
          entry("settlement/verification/parts/awards.sql", "takes archived ones as stored"),
          entry("settlement/verification/parts/suspects.sql", "adds up what is stored"),
          entry("settlement/manifest/awards-of-amendments.sql", "adds up what is posted now"),
          entry("settlement/manifest/derived-sums.sql", "adds up what was posted"),
          entry("settlement/manifest/fields.sql", "calls the sums of a manifest awards"),
          entry("settlement/closing/SliceFilling.java", "fills own tables"),
          entry("settlement/closing/PayoutForecasts.java", "shows what a period would pay"),
          entry("operations/amendment/Comparison.java", "shows what an amendment would pay"),
          entry("operations/explain/OutcomeRows.java", "explains awards, posted or not"),
          entry("operations/monitoring/ClosingSignals.java", "shows a held outcome's budget"),
          entry("operations/report/FinalLines.java", "shows the awards of a revision"),
          entry("operations/report/HallOfFame.java", "adds up the awards of posted outcomes"),
          entry("operations/report/MemberHistory.java", "shows the awards of posted outcomes"),
          entry("operations/report/PendingDecisions.java", "adds up what a person is to approve"),
          entry("operations/report/OutcomeSums.java", "adds up what a person is to approve"),
          entry("live/board/ClosedMarks.java", SAYS),
          entry("cli/HistoryCommands.java", SAYS),
          entry("cli/JournalCommands.java", SAYS),
          entry("java/palmares/bench/page/Footprint.java", "measures the size of the table"),
          entry("java/palmares/bench/close/Floor.java", "copies rows of the table's shape"),
          entry("java/palmares/bench/history/HistoryBench.java", "measures a reader of awards"),
          entry(
              "java/palmares/bench/nodes/SliceTwins.java",
              "compares outcomes that were filled otherwise"),
          entry("V6__payments.sql", "makes the tables"),
          entry("R__laws.sql: select guard_rows", "guards them"),
          entry("R__laws.sql: make_outcome_tables", "makes own tables"),
          entry("R__laws.sql: drop_outcome_tables", "drops own tables"),
          entry("R__laws.sql: tables_of_no_outcome", "finds tables of no outcome"),
          entry("R__laws.sql: drop_empty_table", "drops empty own tables"),
          entry("R__laws.sql: let_vacuum_outcome_tables", "changes how they are vacuumed"),
          entry("R__laws.sql: analyze_outcome_tables", "counts rows for the planner"),
          entry("R__laws.sql: attach_outcome_tables", "attaches own tables"),
          entry("R__laws.sql: require_whole", "counts what is about to be posted"),
          entry("R__views.sql: drop view", "drops the views of awards"),
          entry("R__views.sql: award_change", "awards, posted or not"),
          entry("R__views.sql: award_changes", "awards, posted or not"),
          entry("R__views.sql: award", "awards, posted or not"),
          entry("R__views.sql: posted_payment", "leaves out those that are not posted"),
          entry("R__views.sql: palmares_revision", "shows awards of posted revisions only"));

  /** The table, its partitions, and a beginning that a partition's number is added to. */
  private static final String TABLE = "(?<![\\w.-])(?:palmares\\.)?payment(_shared|_(from_)?\\d*)?";

  private static final Pattern READING =
      Pattern.compile(
          "(?i)%s(?!\\w)|\\{payments}|\\baward_changes?\\b".formatted(TABLE)
              + "|(\\b(from|join|only|table)|,)\\s*\"?(palmares\"?\\.\"?)?award\\b\"?"
              + "(?!\\s+(is|was|of|has)\\b)");

  /** The one way to a name of the table that is no text. */
  private static final Pattern NAMING = Pattern.compile("\\bOutcomeTables\\.payments\\(");

  /** Comments, characters, text blocks and strings of Java; the last two are groups. */
  private static final Pattern JAVA =
      Pattern.compile(
          "(?s)//[^\\n]*|/\\*.*?\\*/|'(?:\\\\.|[^'\\\\])+'"
              + "|\"\"\"((?:\\\\.|(?!\"\"\").)*+)\"\"\"|\"((?:\\\\.|[^\"\\\\\\n])*+)\"");

  /** The beginning of a statement, and the name of what it makes. */
  private static final Pattern STATEMENT =
      Pattern.compile(
          "(?m)^(?:create (?:or replace |unique |constraint )*\\w+ (\"[^\"]+\"|\\w+)|\\w+ \\w+)");

  @Test
  void nothingButTheCodeThatFillsPostsAndVerifiesReadsPayments() throws IOException {
    var readers = new TreeSet<String>();
    for (Path root : SOURCES) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : (Iterable<Path>) files.filter(PaymentReadersTest::isCode)::iterator) {
          String name = root.relativize(file).toString().replace('\\', '/');
          readers.addAll(readers(name, Files.readString(file)));
        }
      }
    }
    assertThat(readers)
        .as("reads the table payment: read the view transfer instead, or is no longer listed")
        .containsExactlyInAnyOrderElementsOf(READERS.keySet());
  }

  private static boolean isCode(Path file) {
    return file.toString().endsWith(".java") || file.toString().endsWith(".sql");
  }

  /** The file if it reads payments, or those of its statements that do if it runs again. */
  private static List<String> readers(String file, String source) {
    if (file.endsWith(".java")) {
      boolean reads = NAMING.matcher(source).find() || READING.matcher(texts(source)).find();
      return reads ? List.of(file) : List.of();
    }
    String sql = source.replaceAll("(?m)--.*$", "");
    if (!file.startsWith("R__")) {
      return READING.matcher(sql).find() ? List.of(file) : List.of();
    }
    var readers = new ArrayList<String>();
    for (String statement : sql.split("(?m);\\s*^(?=(create|select|with|do|alter|drop)\\b)")) {
      Matcher begins = STATEMENT.matcher(statement);
      if (READING.matcher(statement).find() && begins.find()) {
        String made = begins.group(1) == null ? begins.group() : begins.group(1);
        readers.add(file + ": " + made);
      }
    }
    return readers;
  }

  /** All strings of a program. */
  private static String texts(String source) {
    var texts = new StringBuilder();
    Matcher part = JAVA.matcher(source);
    while (part.find()) {
      String text = part.group(1) == null ? part.group(2) : part.group(1);
      texts.append(text == null ? "" : text).append('\n');
    }
    return texts.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sql(\"select sum(amount) from payment\");",
        "sql(\"SELECT sum(amount) FROM PAYMENT p\");",
        "sql(\"select sum(amount) from palmares.payment\");",
        "sql(\"select sum(amount) from \\\"payment\\\"\");",
        "sql(\"select sum(amount) from only payment\");",
        "sql(\"select sum(amount) from period, payment\");",
        "sql(\"select sum(amount) from payment_\" + n);",
        "sql(\"select sum(amount) from payment_%d\".formatted(n));",
        "sql(\"select sum(amount) from payment_from_1\");",
        "sql(\"select sum(amount) from payment_7\");",
        "sql(\"copy payment_shared to stdout\");",
        "sql(\"table payment\");",
        "sql(\"select amount from %s\".formatted(\"payment\"));",
        "sql(\"\"\"\n  select \\\" from period,\n  payment\n\"\"\");",
        "char quote = '\"'; sql(\"from payment\");",
        "sql(/* not \" this */ \"from payment\");",
        "sql(\"select * from award_changes(:parts)\");",
        "sql(\"select * from only award_change\");",
        "sql(\"select * from period, award\");",
        "sql(\"select * from palmares.award\");",
        "sql(\"select * from \" + OutcomeTables.payments(outcome));",
        "sql(tables.in(\"select * from {payments}\"));"
      })
  void eachWayToReadThemIsFoundInAProgram(String source) {
    assertThat(readers("planted.java", source)).containsExactly("planted.java");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "// from payment",
        "/* from\n payment */",
        "Payment payment = payment(1);",
        "sql(\"select payments, payment_sum from revision\");",
        "sql(\"select payment_hash(rule) from posted_payment\");",
        "say(\"payments-by-purpose, an award of ann\");",
        "char quote = '\"'; /* from payment */ char other = '\"';"
      })
  void whatReadsNoneIsNotTakenForAReader(String source) {
    assertThat(readers("planted.java", source)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "  select sum(amount) from payment;",
        "  execute format('select 1 from payment_%s', n);",
        "  execute 'select 1 from payment_' || n;",
        "  perform from only payment_shared;",
        "  perform from revision, palmares.payment;",
        "  perform from award_changes(array[1]);",
        "  perform from period, award;"
      })
  void eachWayToReadThemIsFoundInAStatement(String body) {
    String sql =
        """
        -- No payment is read here.
        create or replace function other() returns void language sql as $$
          select 1 -- from payment
        $$;
        create or replace function planted(n int) returns void language plpgsql as $$
        begin
        %s
        end $$;
        """
            .formatted(body);
    assertThat(readers("R__laws.sql", sql)).containsExactly("R__laws.sql: planted");
    assertThat(readers("checks/planted.sql", body)).containsExactly("checks/planted.sql");
  }
}
