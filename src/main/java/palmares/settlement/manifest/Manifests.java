package palmares.settlement.manifest;

import java.math.BigDecimal;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.Sha256;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revisions;

/** Writes and reads manifests: the text that says what a posted outcome was computed from. */
@Component
public class Manifests {
  private static final String SEPARATOR = ": ";

  private final JdbcClient jdbc;
  private final Revisions revisions;
  private final Anchors anchors;
  private final Clock clock;

  Manifests(JdbcClient jdbc, Revisions revisions, Anchors anchors, Clock clock) {
    this.jdbc = jdbc;
    this.revisions = revisions;
    this.anchors = anchors;
    this.clock = clock;
  }

  /**
   * A manifest.
   *
   * @param body one line for each field, sorted by name: {@code name: value}
   * @param hash the SHA-256 of the body, in hexadecimal
   */
  public record Manifest(String body, String hash) {
    /** The fields in order, with their values as the body has them. */
    public Map<String, String> fields() {
      var fields = new LinkedHashMap<String, String>();
      for (String line : body.split("\n")) {
        int colon = line.indexOf(SEPARATOR);
        fields.put(
            colon < 0 ? line : line.substring(0, colon),
            colon < 0 ? "" : line.substring(colon + SEPARATOR.length()));
      }
      return fields;
    }
  }

  /**
   * Writes the manifest of a revision, in the transaction that posts it. After that of a closing,
   * the transaction keeps generic plans, which join in the order of the text. So later statements
   * must not read tables of all outcomes.
   *
   * @param outcome the revision's number among all outcomes
   * @param board the rules that the revision awards by
   * @throws palmares.period.WrongState if PostgreSQL has forgotten that it was posted before
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void write(Period period, int revision, int outcome, Board board) {
    anchors.requireNotForgotten(period, revision);
    List<Field> fields = fields(period, revision, outcome, board);
    String body = fields.stream().map(Field::line).collect(Collectors.joining());
    jdbc.sql(
            """
            insert into manifest (period_id, revision, body, sums, hash, written_at)
            values (:period, :revision, :body, :sums::jsonb, :hash, :now)
            """)
        .param("period", period.id())
        .param("revision", revision)
        .param("body", body)
        .param("sums", sums(fields))
        .param("hash", Sha256.of(body))
        .param("now", clock.instant())
        .update();
  }

  private static String sums(List<Field> fields) {
    return fields.stream()
        .filter(field -> field.sums() != null)
        .map(field -> "\"%s\": %s".formatted(field.field(), field.sums()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /**
   * Says what a period has paid in one currency.
   *
   * @param purpose for what; {@code net} for what members got less what they gave back
   */
  public record Paid(String purpose, String currency, BigDecimal amount) {}

  /**
   * Adds up what the posted revisions of a period paid, as their manifests say, and the net of what
   * an amendment has changed.
   */
  public List<Paid> paid(Period period) {
    return jdbc.sql(
            """
            with moved as (
              select name as purpose, currency, sum(amount) as amount
              from manifest
              cross join lateral manifest_sums(sums, 'payments-by-purpose')
              where period_id = :period
              group by name, currency
            )
            select purpose, currency, amount
            from (
              select purpose, currency, amount from moved
              union all
              select 'net', currency,
                sum(case purpose when 'award' then amount when 'return' then -amount else 0 end)
              from moved
              group by currency
              having count(*) > 1
            ) shown
            order by purpose = 'award' desc, purpose = 'net', purpose, currency
            """)
        .param("period", period.id())
        .query(Paid.class)
        .list();
  }

  /** Finds the manifest of a revision; empty if the revision is not posted. */
  public Optional<Manifest> find(Period period, int revision) {
    return jdbc.sql(
            """
            select body, hash from manifest
            where period_id = :period and revision = :revision
            """)
        .param("period", period.id())
        .param("revision", revision)
        .query(Manifest.class)
        .optional();
  }

  /**
   * Says what the members of a settled period got in a currency.
   *
   * @param awards how many awards
   * @param amount their sum
   */
  public record Awarded(String currency, long awards, BigDecimal amount) {}

  /** Reads what the closing of a settled period awarded, in the order of the currencies. */
  public List<Awarded> awarded(Period period) {
    return jdbc.sql(
            """
            select currency, sum(number)::bigint as awards, sum(amount) as amount
            from manifest
            cross join lateral manifest_sums(sums, 'awards-by-rule')
            where period_id = :period and revision = :revision
            group by currency
            order by currency collate "C"
            """)
        .param("period", period.id())
        .param("revision", Revision.FIRST)
        .query(Awarded.class)
        .list();
  }

  private List<Field> fields(Period period, int revision, int outcome, Board board) {
    boolean closing = revision == Revision.FIRST;
    List<Integer> parts = closing ? List.of() : revisions.parts(outcome);
    if (closing) {
      // The statement is the same for all small periods. To look for a better order of its joins
      // than that of the text would take longer than to run it.
      jdbc.sql(
              """
              select
                set_config('plan_cache_mode', 'force_generic_plan', true),
                set_config('join_collapse_limit', '1', true)
              """)
          .query(row -> {});
    }
    return jdbc.sql(
            closing
                ? OutcomeTables.of(outcome).in(ManifestSql.FIELDS_OF_CLOSING)
                : OutcomeTables.ALL.in(ManifestSql.FIELDS_OF_AMENDMENT))
        .param("ids", List.of(period.id()))
        .param("revision", revision)
        .param("outcomes", List.of(outcome))
        .param("parts", parts)
        .params(parameters(board))
        .query(Field.class)
        .list();
  }

  /**
   * @param sums the value as data, if it is a list of sums; else null
   */
  private record Field(String field, String value, @Nullable String sums) {
    String line() {
      return field + SEPARATOR + escaped(value) + "\n";
    }
  }

  /** Returns the parameters that depend on the board. */
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
        board.payout().eligible().isRegisteredOnly());
  }

  public static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }
}
