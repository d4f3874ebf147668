package palmares.platform.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.platform.output.OutputFormat;
import palmares.rules.board.BoardId;
import palmares.testing.PalmaresTest;

/** A parameter of a statement has a type of the domain. */
@PalmaresTest
class TypedJdbcClientTest {
  private static final Instant TIME = Instant.parse("2026-11-02T00:00:00.000001Z");

  @Autowired private JdbcClient jdbc;

  record Bound(
      BoardId board,
      OutputFormat format,
      Instant at,
      List<BoardId> boards,
      List<OutputFormat> formats,
      @Nullable BoardId none) {}

  @Test
  void whatIsWrittenIsReadAgain() {
    var bound =
        new Bound(
            new BoardId("invites"),
            OutputFormat.CSV,
            TIME,
            List.of(new BoardId("likes"), new BoardId("shares")),
            List.of(OutputFormat.JSON),
            null);
    assertThat(
            jdbc.sql(
                    """
                    select :board as board, :format as format, :at as at, :boards as boards,
                      :formats as formats, :none as none
                    """)
                .param("board", bound.board())
                .param("format", bound.format())
                .param("at", bound.at())
                .param("boards", bound.boards())
                .param("formats", bound.formats())
                .param("none", bound.none())
                .query(RecordMapper.of(Bound.class))
                .single())
        .isEqualTo(bound);
  }

  @ParameterizedTest
  @CsvSource({"bigint, 0", "text, 0", "bigint, 2", "timestamptz, 2"})
  void anArrayWithoutAValueHasTheTypeThatTheStatementNeeds(String type, int nulls) {
    assertThat(
            jdbc.sql("select count(*) from unnest(:values::%s[])".formatted(type))
                .param("values", Arrays.asList(new Object[nulls]))
                .query(Integer.class)
                .single())
        .isEqualTo(nulls);
    assertThat(
            jdbc.sql(
                    "select count(*) from line where outcome = any(:values) and outcome ="
                        + " any(:values)")
                .param("values", List.of())
                .query(Integer.class)
                .single())
        .isZero();
    assertThat(
            jdbc.sql("select 1::bigint = any(:values)")
                .param("values", List.of())
                .query(Boolean.class)
                .single())
        .isFalse();
  }

  @Test
  void timesOfAnArrayKeepTheirMicroseconds() {
    assertThat(
            jdbc.sql("select max(at) = :at from unnest(:times::timestamptz[]) as at")
                .param("times", Arrays.asList(null, TIME, TIME.minusSeconds(1)))
                .param("at", TIME)
                .query(Boolean.class)
                .single())
        .isTrue();
  }

  @Test
  void aColumnIsReadAsAnIdAWordOrATime() {
    assertThat(read("select 'likes'", BoardId.class)).containsExactly(new BoardId("likes"));
    assertThat(read("select 'csv'", OutputFormat.class)).containsExactly(OutputFormat.CSV);
    assertThat(read("select timestamptz '" + TIME + "'", Instant.class)).containsExactly(TIME);
  }

  private <T> List<T> read(String sql, Class<T> type) {
    return jdbc.sql(sql).query(type).list();
  }

  @Test
  void twoColumnsAreAMapInTheOrderOfTheRows() {
    assertThat(
            jdbc.sql("select * from (values ('likes', 2), ('invites', 1)) as counts")
                .query(RecordMapper.map(BoardId.class, Integer.class)))
        .containsExactly(entry(new BoardId("likes"), 2), entry(new BoardId("invites"), 1));
  }

  @Test
  void aStatementThatFetchesInSlicesKeepsItsTypes() {
    assertThat(
            jdbc.sql("select name from unnest(:names::text[]) as name where name = any(:names)")
                .withFetchSize(1)
                .param("names", List.of(new BoardId("likes"), new BoardId("invites")))
                .query(BoardId.class)
                .list())
        .hasSize(2);
  }

  @Test
  void aRecordOfMoreThanOneComponentIsNoParameter() {
    record Two(long one, long other) {}
    assertThatIllegalArgumentException()
        .isThrownBy(() -> jdbc.sql("select :two").param("two", new Two(1, 2)).query().singleValue())
        .withMessageContaining("Two");
  }
}
