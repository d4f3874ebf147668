package palmares.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.testing.WorldTest;

/** Whoever is in no piece would get nothing, and whoever is in two would get it twice. */
@WorldTest
class PieceTest {
  private static final String MEMBERS =
      """
      (select n, md5(n::text) || case n % 3 when 0 then '\u00e9' when 1 then '|' else '' end as id
        from generate_series(1, 5000) n) member
      """;

  @Autowired private JdbcClient jdbc;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void everyMemberIsInOnePieceAndNoPieceIsEmpty(int of) {
    String pieces =
        String.join(
            " union all ",
            Piece.all(of).stream()
                .map(
                    piece ->
                        "select %d as piece, id from %s where %s"
                            .formatted(piece.number(), MEMBERS, piece.holds("id")))
                .toList());
    assertThat(number("select count(distinct id) from (%s) cut".formatted(pieces))).isEqualTo(5000);
    assertThat(number("select count(*) from (%s) cut".formatted(pieces))).isEqualTo(5000);
    assertThat(number("select count(distinct piece) from (%s) cut".formatted(pieces)))
        .isEqualTo(of);
  }

  @Test
  void allWorkersHaveAsManyPieces() {
    int workers = Abreast.pieces(0, 1);
    assertThat(Abreast.pieces(workers * 100L, 100)).isEqualTo(workers);
    assertThat(Abreast.pieces(workers * 100L + 1, 100)).isEqualTo(2 * workers);
    assertThat(Abreast.pieces(workers * 1000L - 1, 100)).isEqualTo(10 * workers);
  }

  private long number(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }
}
