package palmares.outbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What facts say, worked out from rows that never change: told again, they say the same. */
@Component
class FactData {
  /** A receiver that pays on award.paid alone must pay right. */
  private static final Map<String, String> TYPES =
      Map.of(
          "award", "award.paid",
          "return", "award.returned",
          "debt", "award.owed",
          "write-off", "award.written-off",
          "restored", "award.restored");

  private final JdbcClient jdbc;

  FactData(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A transfer as a fact. */
  record Part(long transfer, Fact fact) {}

  /** The fact itself, with the sums of its transfers. */
  Fact of(Facts.Row row) {
    var data = new LinkedHashMap<String, Object>();
    jdbc.sql(
            """
            select period.starts_at, period.ends_at, revision.base, (
              select count(*) from standing
              where standing.period_id = revision.period_id
                and standing.revision = revision.revision) as members,
              link.n as link, link.hash as link_hash, link.manifest_hash
            from revision
            join period on period.id = revision.period_id
            left join manifest_link link
              on link.period_id = revision.period_id and link.revision = revision.revision
            where revision.period_id = :period and revision.revision = :revision
            """)
        .param("period", row.periodId())
        .param("revision", row.revision())
        .query(
            found -> {
              data.put("startsAt", text(found.getObject("starts_at", OffsetDateTime.class)));
              data.put("endsAt", text(found.getObject("ends_at", OffsetDateTime.class)));
              data.put("members", found.getLong("members"));
              if (found.getObject("link") != null) {
                data.put("manifest", found.getString("manifest_hash"));
                data.put("link", found.getLong("link"));
                data.put("linkHash", found.getString("link_hash"));
              }
              if (found.getObject("base") != null) {
                data.put("base", found.getInt("base"));
              }
            });
    data.put("transfers", row.parts() - 1);
    data.put("sums", sums(row));
    return new Fact(
        "%s:%s/%s/%d".formatted(row.type(), row.board(), row.period(), row.revision()),
        row.type(),
        row.at().toString(),
        row.board(),
        row.period(),
        row.revision(),
        data);
  }

  /** What was moved, by purpose and currency. */
  private Map<String, Map<String, Object>> sums(Facts.Row row) {
    var sums = new TreeMap<String, Map<String, Object>>();
    jdbc.sql(
            """
            select purpose, currency, sum(amount) as amount
            from transfer
            join account on account.id = transfer.to_account
            where period_id = :period and revision = :revision
            group by purpose, currency
            order by purpose, currency
            """)
        .param("period", row.periodId())
        .param("revision", row.revision())
        .query(
            found -> {
              sums.computeIfAbsent(found.getString("purpose"), purpose -> new TreeMap<>())
                  .put(found.getString("currency"), found.getBigDecimal("amount"));
            });
    return sums;
  }

  /**
   * The next transfers of a fact, after one of them. Those of a fact were posted together, so that
   * nearly all between its first and its last are its own: the page is read by id, and never, by
   * another index, with all of a million in hand.
   */
  List<Part> transfers(Facts.Row row, long after, int most) {
    return jdbc.sql(
            """
            select
              transfer.id, transfer.member, transfer.rule, transfer.purpose, transfer.amount,
              account.currency, transfer.posted_at
            from (
              select *
              from transfer
              where id > :after
                and id <= :last
                and period_id is not distinct from :period
                and revision is not distinct from :revision
              order by id
              limit :most
            ) transfer
            join account on account.id = transfer.to_account
            order by transfer.id
            """)
        .param("after", after)
        .param("last", row.lastTransfer())
        .param("period", row.periodId())
        .param("revision", row.revision())
        .param("most", most)
        .query((found, i) -> part(row, found))
        .list();
  }

  private static Part part(Facts.Row row, ResultSet found) throws SQLException {
    long id = found.getLong("id");
    var data = new LinkedHashMap<String, Object>();
    data.put("transfer", id);
    data.put("member", found.getString("member"));
    data.put("rule", found.getString("rule"));
    data.put("amount", found.getLong("amount"));
    data.put("currency", found.getString("currency"));
    String type = Objects.requireNonNull(TYPES.get(found.getString("purpose")));
    return new Part(
        id,
        new Fact(
            type + ":" + id,
            type,
            text(found.getObject("posted_at", OffsetDateTime.class)),
            row.board(),
            row.period(),
            row.revision(),
            data));
  }

  private static String text(OffsetDateTime time) {
    return time.toInstant().toString();
  }
}
