package palmares.proof;

import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.board.Board;
import palmares.board.Sha256;
import palmares.payout.Payout;
import palmares.period.Period;

/** The manifests of all outcomes that were posted. */
@Component
public class Manifests {
  /** The outcomes whose payments add up to an amendment's awards. */
  private static final String PARTS =
      """
      :revision > 1
        and revision <= :revision
        and (posted_at is not null or revision = :revision)
      """;

  private final JdbcClient jdbc;
  private final Clock clock;

  Manifests(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * One manifest.
   *
   * @param body a line a field, in the order of their names: {@code name: value}
   * @param hash the body's SHA-256 in hexadecimal
   */
  public record Manifest(String body, String hash) {}

  /**
   * Writes down what a revision rests on, in the transaction that posts it.
   *
   * @param board the rules that the revision awards by
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void write(Period period, int revision, Board board) {
    String body = String.join("\n", lines(period, revision, board)) + "\n";
    jdbc.sql(
            """
            insert into manifest (period_id, revision, body, hash, written_at)
            values (:period, :revision, :body, :hash, :now)
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .param("body", body)
        .param("hash", Sha256.of(body))
        .param("now", clock.instant().atOffset(ZoneOffset.UTC))
        .update();
  }

  /** The revision's manifest, if it is posted. */
  public Optional<Manifest> find(Period period, int revision) {
    return jdbc.sql(
            """
            select body, hash from manifest
            where period_id = :period and revision = :revision
            """)
        .param("period", period.id().value())
        .param("revision", revision)
        .query(Manifest.class)
        .optional();
  }

  private List<String> lines(Period period, int revision, Board board) {
    var lines = new ArrayList<String>();
    jdbc.sql(ManifestSql.FIELDS)
        .param("ids", new Long[] {period.id().value()})
        .param("revision", revision)
        .param("outcomes", outcomes(period, "revision = :revision", revision))
        .param("parts", outcomes(period, PARTS, revision))
        .params(parameters(board))
        .query(
            row -> {
              lines.add(row.getString("field") + ": " + escaped(row.getString("value")));
            });
    return lines;
  }

  private Integer[] outcomes(Period period, String which, int revision) {
    return jdbc.sql("select id from revision where period_id = :period and " + which)
        .param("period", period.id().value())
        .param("revision", revision)
        .query(Integer.class)
        .list()
        .toArray(Integer[]::new);
  }

  /** What the board adds to the tables. */
  public static Map<String, Object> parameters(Board board) {
    boolean fewestWin = board.scale().scoring().fewestWin();
    long usual = board.scale().scoring().takesValues() ? 0 : 1;
    Long said = board.payout().minPoints();
    return Map.of(
        "zone",
        board.zone().getId(),
        "least",
        said == null || fewestWin ? usual : said,
        "most",
        said == null || !fewestWin ? Long.MAX_VALUE : said,
        "registeredOnly",
        board.payout().eligible() == Payout.Eligible.REGISTERED);
  }

  /** A field's value as it stands in the body: what would break its line is escaped. */
  public static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }
}
