package palmares.settlement.reward;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.dhatim.fastexcel.reader.Cell;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.Row;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.api.identity.ApiKeys;
import palmares.api.roles.Role;
import palmares.operations.explain.Explainer;
import palmares.operations.explain.Explanation;
import palmares.period.Period;
import palmares.rules.board.MemberId;
import palmares.testing.Api;
import palmares.testing.Line;
import palmares.testing.Records;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares what is published, owned, exported and explained with what a model says. */
final class HistoryComparison {
  private static final String NET =
      """
      select account || ' ' || rule || ' ' || currency || ' ' || sum(amount) from entry
      where period_id = ? and kind = 'member'
      group by account, rule, currency
      having sum(amount) <> 0
      """;

  private static final String AWARDS =
      """
      select member || ' ' || rule || ' ' || currency || ' ' || credits
      from award
      join revision on revision.id = outcome
      join period on period.id = revision.period_id and period.revision = revision.revision
      where period.id = ?
      """;

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();

  @Autowired private Records records;
  @Autowired private JdbcClient jdbc;
  @Autowired private Explainer explainer;
  @Autowired private ApiKeys keys;
  @Autowired private Environment environment;

  private @Nullable String key;

  void compareLive(Period period, List<Line> expected, String member) {
    assertThat(untimed(records.live(period))).as("the live board").isEqualTo(untimed(expected));
    int at = 0;
    while (at < expected.size() && !expected.get(at).member().equals(member)) {
      at++;
    }
    if (at < expected.size()) {
      assertThat(untimed(records.around(period, member, 2)))
          .as("around %s", member)
          .isEqualTo(
              untimed(expected.subList(Math.max(0, at - 2), Math.min(expected.size(), at + 3))));
    }
  }

  private static List<Line> untimed(List<Line> lines) {
    return lines.stream().map(Line::untimed).toList();
  }

  void compare(Period period, HistoryOutcome outcome) {
    String revision = "of revision " + period.revision();
    assertThat(records.published(period)).as("lines %s", revision).isEqualTo(outcome.lines());
    assertThat(records.words(AWARDS, period.id().value()))
        .as("awards %s", revision)
        .containsExactlyInAnyOrderElementsOf(words(outcome.credits()));
    if (outcome.rewards().owed().equals("take")) {
      assertThat(records.words(NET, period.id().value()))
          .as("what members own by %s", revision)
          .containsExactlyInAnyOrderElementsOf(words(outcome.credits()));
    }
    for (int i = 0; i < outcome.lines().size(); i += 5) {
      compareExplanation(period, outcome, outcome.lines().get(i));
    }
  }

  private static List<String> words(Map<String, Long> credits) {
    var words = new ArrayList<String>();
    credits.forEach((what, each) -> words.add(what + " " + each));
    return words;
  }

  private void compareExplanation(Period period, HistoryOutcome outcome, Line line) {
    Explanation explained =
        explainer.explain(period, new MemberId(line.member()), 10).orElseThrow();
    Explanation.Standing end =
        explained.ends().stream()
            .filter(each -> each.revision() == period.revision())
            .findFirst()
            .orElseThrow();
    assertThat(end.place()).isEqualTo(line.place());
    assertThat(end.rank()).isEqualTo(line.rank() == 0 ? null : line.rank());
    assertThat(end.points()).isEqualTo(line.points());
    assertThat(end.reachedAt()).isEqualTo(line.reachedAt());
    assertThat(end.excluded() != null).isEqualTo(outcome.levels().containsKey(line.member()));
    var prizes = new TreeMap<String, Long>();
    end.prizes().forEach(prize -> prizes.put(prize.rule(), prize.credits()));
    assertThat(prizes).as("explained to %s", line).isEqualTo(outcome.creditsOf(line.member()));
    assertThat(end.nothing() == null).isEqualTo(!prizes.isEmpty());
    assertThat(explained.journal().total()).isEqualTo(outcome.model().taken(line.member()));
    assertThat(explained.transfers())
        .as("transfers explained to %s", line)
        .hasSameSizeAs(
            records.words(
                """
                select amount::text from transfer
                where period_id = ? and member = ?
                """,
                period.id().value(),
                line.member()));
  }

  void compareBalances(Map<String, Long> expected) {
    var stored = new TreeMap<String, Long>();
    jdbc.sql("select kind, account, currency, balance from trial_balance where balance <> 0")
        .query(
            row -> {
              stored.put(
                  "" + List.of(row.getString(1), row.getString(2), row.getString(3)),
                  row.getLong(4));
            });
    assertThat(stored).as("balances").isEqualTo(expected);
  }

  /** Of lines, as JSON, CSV and a workbook. */
  void compareExports(Period period, HistoryOutcome outcome) {
    if (key == null) {
      key = Api.ownKey(keys, "history", "local:test", Role.VIEWER);
    }
    String path =
        "http://127.0.0.1:%s/api/v1/ops/boards/%s/periods/%s/report"
            .formatted(
                environment.getRequiredProperty("local.server.port"),
                period.board(),
                period.name());
    List<String> expected = outcome.lines().stream().map(line -> row(outcome, line)).toList();
    assertThat(json(get(path, "application/json"), outcome)).as("JSON").isEqualTo(expected);
    assertThat(csv(get(path, "text/csv;raw=true"), outcome)).as("CSV").isEqualTo(expected);
    assertThat(workbook(get(path + "?format=xlsx", "*/*"), outcome))
        .as("workbook")
        .isEqualTo(expected);
  }

  private static String row(HistoryOutcome outcome, Line line) {
    Map<String, Long> credits = outcome.creditsOf(line.member());
    return row(
        outcome,
        column ->
            switch (column) {
              case "rank" -> line.rank() == 0 ? "" : "" + line.rank();
              case "member" -> line.member();
              case "points" -> "" + line.points();
              default -> {
                Long own = credits.get(column.substring("award:".length()));
                yield own == null ? "" : "" + own;
              }
            });
  }

  private static String row(HistoryOutcome outcome, UnaryOperator<String> cell) {
    var cells = new ArrayList<String>();
    for (String column : List.of("rank", "member", "points")) {
      cells.add(cell.apply(column));
    }
    outcome.rewards().rewards().forEach(rule -> cells.add(cell.apply("award:" + rule.name())));
    return String.join(" ", cells);
  }

  private static List<String> json(byte[] body, HistoryOutcome outcome) {
    var rows = new ArrayList<String>();
    for (JsonNode line : JSON.readTree(body)) {
      rows.add(row(outcome, column -> line.path(column).asString("")));
    }
    return rows;
  }

  private static List<String> csv(byte[] body, HistoryOutcome outcome) {
    List<String> lines = new String(body, UTF_8).lines().toList();
    List<String> columns = List.of(lines.get(0).split(",", -1));
    return lines.subList(1, lines.size()).stream()
        .map(line -> line.split(",", -1))
        .map(cells -> row(outcome, column -> cells[columns.indexOf(column)]))
        .toList();
  }

  private static List<String> workbook(byte[] body, HistoryOutcome outcome) {
    try (var workbook = new ReadableWorkbook(new ByteArrayInputStream(body))) {
      List<Row> rows = workbook.getFirstSheet().read();
      List<String> columns = rows.get(0).stream().map(Cell::getText).toList();
      return rows.subList(1, rows.size()).stream()
          .filter(row -> !row.getCellText(columns.indexOf("member")).isEmpty())
          .map(row -> row(outcome, column -> row.getCellText(columns.indexOf(column))))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] get(String path, String type) {
    try {
      var request =
          HttpRequest.newBuilder(URI.create(path))
              .header("Authorization", "Bearer " + key)
              .header("Accept", type);
      var answer = HTTP.send(request.build(), BodyHandlers.ofByteArray());
      assertThat(answer.statusCode()).as(path).isEqualTo(200);
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
