package palmares.platform.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.output.OutputFormat;
import palmares.platform.sql.RecordMapper.Prefixed;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.testing.PalmaresTest;

/** A row becomes a record whose components have the types of the domain. */
@PalmaresTest
class RecordMapperTest {
  private static final String ROW =
      """
      select 'invites' as board, 'csv' as format, 7 as members, null::bigint as most,
        timestamptz '2026-11-02 00:00:00.000001+00' as started_at,
        array['json', 'xlsx'] as formats, array['a', 'b'] as names,
        '{"code": "verbatim", "values": {"text": "why"}, "text": "why"}'::jsonb as failure,
        null as ended_by, null::timestamptz as ended_at
      """;

  @Autowired private JdbcClient jdbc;

  record Ending(@Nullable String endedBy, Instant endedAt) {}

  record Run(
      BoardId board,
      OutputFormat format,
      long members,
      @Nullable Long most,
      Instant startedAt,
      Set<OutputFormat> formats,
      List<String> names,
      Sentence failure,
      @Nullable Ending ending) {}

  @Test
  void aComponentIsReadFromTheColumnOfItsName() {
    assertThat(jdbc.sql(ROW).query(RecordMapper.of(Run.class)).single())
        .isEqualTo(
            new Run(
                new BoardId("invites"),
                OutputFormat.CSV,
                7,
                null,
                Instant.parse("2026-11-02T00:00:00.000001Z"),
                Set.of(OutputFormat.JSON, OutputFormat.XLSX),
                List.of("a", "b"),
                Sentence.verbatim("why"),
                null));
  }

  @Test
  void aRecordOfFurtherColumnsIsNullIfAllOfThemAre() {
    assertThat(
            jdbc.sql(
                    "select row.*, now() as ended_at from ("
                        + ROW.replace("ended_at", "x")
                        + ") row")
                .query(RecordMapper.of(Run.class))
                .single()
                .ending())
        .isNotNull();
  }

  record Key(BoardId board, long n) {}

  record Change(
      @Prefixed Ending made,
      @Prefixed @Nullable Ending lifted,
      Map<String, List<Integer>> details,
      List<Sentence> reasons) {}

  @Test
  void columnsOfARecordMayHaveItsName() {
    String change =
        """
        select 'ann' as made_ended_by, timestamptz '2026-11-02 00:00:00+00' as made_ended_at,
          null as lifted_ended_by, null::timestamptz as lifted_ended_at,
          '{"days": [1, 2]}'::jsonb as details, null::jsonb as reasons
        """;
    assertThat(jdbc.sql(change).query(Change.class).single())
        .isEqualTo(
            new Change(
                new Ending("ann", Instant.parse("2026-11-02T00:00:00Z")),
                null,
                Map.of("days", List.of(1, 2)),
                List.of()));
  }

  @Test
  void rowsAreFoundByTheirKeys() {
    String rows =
        """
        select board, n, word from (values ('b', 2, 'xlsx'), ('a', 1, 'csv'), ('b', 3, 'json'))
          as row (board, n, word)
        """;
    assertThat(jdbc.sql(rows).query(RecordMapper.lists(BoardId.class, Long.class)))
        .isEqualTo(Map.of(new BoardId("b"), List.of(2L, 3L), new BoardId("a"), List.of(1L)));
    assertThat(
            jdbc.sql("select board, n, word as ended_by, now() as ended_at from (" + rows + ") row")
                .query(RecordMapper.map(Key.class, Ending.class)))
        .containsOnlyKeys(
            new Key(new BoardId("b"), 2),
            new Key(new BoardId("a"), 1),
            new Key(new BoardId("b"), 3));
  }

  @Test
  void whatTheTypesDoNotKnowIsNoRecord() {
    assertThatThrownBy(() -> read(ROW.replace("'csv'", "'pdf'")))
        .isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> read(ROW.replace("7 as", "7 as other,")))
        .isInstanceOf(BadSqlGrammarException.class);
    assertThatThrownBy(() -> read(ROW.replace("7 as", "7.5 as")))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> read(ROW.replace("'invites'", "'No Board'")))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class);
  }

  record Count(int members) {}

  @Test
  void aNumberIsNeitherCutNorRounded() {
    assertThat(jdbc.sql("select 7.0 as members").query(RecordMapper.of(Count.class)).single())
        .isEqualTo(new Count(7));
    for (String number : List.of("7.5", "2147483648", "2147483648::bigint")) {
      var rows = jdbc.sql("select " + number + " as members").query(RecordMapper.of(Count.class));
      assertThatThrownBy(rows::single).as(number).isInstanceOf(RuntimeException.class);
    }
  }

  private void read(String sql) {
    jdbc.sql(sql).query(RecordMapper.of(Run.class)).single();
  }
}
