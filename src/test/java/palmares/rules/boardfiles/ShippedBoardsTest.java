package palmares.rules.boardfiles;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import palmares.rules.board.Action;
import palmares.rules.board.Action.OncePer;
import palmares.rules.board.Board;
import palmares.rules.board.Board.BoardClock;
import palmares.rules.board.BoardId;
import palmares.rules.board.RankMethod;

/** The boards in {@code jobs/} and their JSON Schema. */
class ShippedBoardsTest {
  static final Catalogue SHIPPED = BoardFiles.read(Path.of("jobs"));

  static Iterable<Board> boards() {
    return SHIPPED.all();
  }

  @Test
  void theShippedBoardsAreBundledWithTheProgram() {
    assertThat(SHIPPED.all())
        .extracting(board -> board.id().value())
        .containsExactly(
            "activity-daily",
            "activity-monthly",
            "arena-gold",
            "arena-silver",
            "coins",
            "commits-daily",
            "commits-monthly",
            "commits-weekly",
            "experience",
            "invites",
            "quiz",
            "time-trial");
    assertThat(BoardFiles.readSamples().all()).containsExactlyElementsOf(SHIPPED.all());
  }

  @ParameterizedTest
  @MethodSource("boards")
  void everyShippedFileIsValidByTheSchema(Board board) {
    var schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(BoardSchema.json());

    assertThat(schema.validate(board.source().text(), InputFormat.YAML)).isEmpty();
    assertThat(board.source().text())
        .startsWith("# yaml-language-server: $schema=../target/board.schema.json\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "title: T", // the others are missing
        "titel: T",
        "max-points: 0",
        "max-points: '5'",
        "zone: EST",
        "zone: '+08:00'",
        "week-start: monday",
        "grace: 10",
        "clock: wall",
        "resolution: hour",
        "ranks: olympic",
        "actions: {}",
        "actions: { A: 1 }",
        "actions: { a: 1.5 }",
        "actions: { a: { undo: 1 } }",
        "rewards: []",
        "rewards: [{ rule: r, ranks: { first: 1 } }]",
        "seasons: []",
        "starts: 2026-01-01",
        "retention: 12m",
        "period: none",
        "period: seasons",
        "period: fortnight",
        "period: { every: 0, unit: days, from: 2026-11-20 }",
        "period: { every: 3, unit: hours, from: 2026-11-20 }",
        "period: { every: 3, unit: days }",
        "starts-at: 12:01",
      })
  void theSchemaRejectsWhatTheReaderRejects(String line) {
    var schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(BoardSchema.json());
    var right = "title: T\nperiod: day\nactions: { a: 1 }\nmax-points: 10\n";
    var field = line.substring(0, line.indexOf(':') + 1);
    var wrong =
        line.equals("title: T")
            ? line
            : right.replaceAll("(?m)^" + field + ".*\n", "") + line + "\n";

    assertThat(schema.validate(right, InputFormat.YAML)).isEmpty();
    assertThat(schema.validate(wrong, InputFormat.YAML)).isNotEmpty();
    assertThat(FaultsOf.text(wrong)).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("boards")
  void aStoredTextIsReadAsTheSameBoard(Board board) {
    assertThat(BoardFiles.parse(board.id(), board.source().text())).isEqualTo(board);
  }

  @ParameterizedTest
  @ValueSource(strings = {"commits-daily", "commits-weekly", "commits-monthly"})
  void theCommitBoardsAreThoseOfTheRealHistory(String id) {
    var board = SHIPPED.find(new BoardId(id)).orElseThrow();

    assertThat(board.clock()).isEqualTo(BoardClock.EVENT);
    assertThat(board.ranks()).isEqualTo(RankMethod.UNIQUE);
    assertThat(board.actions().values())
        .containsExactlyInAnyOrder(
            new Action("commit", 10, true, 1, OncePer.SUBJECT, 0, 0),
            new Action("merge", 1, true, 1, OncePer.SUBJECT, 0, 0));
  }
}
