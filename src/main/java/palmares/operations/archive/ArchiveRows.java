package palmares.operations.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.stereotype.Component;
import palmares.period.PeriodId;

/**
 * Copies a period's rows to files, deletes them and hashes those that stay, on the connection of
 * the transaction.
 */
@Component
class ArchiveRows {
  /** The tables that are deleted once they are in files, by file name: those of the journal. */
  static final Map<String, String> DELETED =
      inOrder(Map.entry("journal", "event"), Map.entry("commits", "committed_event"));

  /**
   * A query for each file, by the file's name without its extension; {@code %1$s} is the period's
   * id, {@code %2$s} the ids of its outcomes. Each query has a fixed order and leaves out what
   * changes while a period is settled, such as a lease. So a file that is written again is the
   * same.
   */
  static final Map<String, String> FILES =
      inOrder(
          Map.entry(
              "period",
              """
              select
                id, board, name, starts_at, ends_at, closes_at, definition_hash, opened_at,
                sealed_at, sealed_members, sealed_points, sealed_events, rebuilt_members,
                rebuilt_points, rebuilt_events, settled_at, expires_at, revision
              from period where id = %1$s
              """),
          Map.entry(
              "definitions",
              """
              select hash, source from definition
              where hash in (
                select definition_hash from period where id = %1$s
                union select definition_hash from revision where period_id = %1$s)
              order by hash
              """),
          Map.entry("journal", "select * from event where period_id = %1$s order by seq"),
          Map.entry("commits", "select * from committed_event where period_id = %1$s order by n"),
          Map.entry("outcomes", "select * from revision where period_id = %1$s order by revision"),
          Map.entry("prizes", "select * from prize where outcome in (%2$s) order by outcome, rule"),
          Map.entry(
              "approvals",
              "select * from approval where period_id = %1$s order by revision, at, by"),
          Map.entry("manifests", "select * from manifest where period_id = %1$s order by revision"),
          Map.entry(
              "exclusions",
              "select * from frozen_exclusion where period_id = %1$s order by revision, member"),
          Map.entry(
              "corrections",
              "select * from correction where period_id = %1$s order by revision, n"),
          Map.entry(
              "amended-lines",
              "select * from amended_line where period_id = %1$s order by revision, member"),
          Map.entry(
              "lines",
              """
              select * from line where outcome in (%2$s)
              order by outcome, place nulls last, member
              """),
          Map.entry(
              "tier-moves",
              "select * from tier_move where period_id = %1$s order by revision, member"),
          Map.entry(
              "payments",
              """
              select * from transfer where outcome in (%2$s)
              order by outcome, member, rule_number, purpose_number
              """),
          Map.entry(
              "late-events",
              """
              select late_event.* from late_event
              join period on period.board = late_event.board and period.name = late_event.period
              where period.id = %1$s
              order by late_event.id collate "C"
              """),
          Map.entry(
              "audit-log",
              """
              select audit_entry.*, audit_link.hash from audit_entry
              left join audit_link on audit_link.audit_entry_id = audit_entry.id
              join period on period.board = audit_entry.board and period.name = audit_entry.period
              where period.id = %1$s and audit_entry.verb <> 'archive'
              order by audit_entry.id
              """));

  @SafeVarargs
  private static Map<String, String> inOrder(Map.Entry<String, String>... files) {
    var all = new LinkedHashMap<String, String>();
    for (Map.Entry<String, String> file : files) {
      all.put(file.getKey(), file.getValue());
    }
    return Collections.unmodifiableMap(all);
  }

  private final DataSource dataSource;
  private final JdbcClient jdbc;

  ArchiveRows(DataSource dataSource, JdbcClient jdbc) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
  }

  /** Writes the rows of a file as CSV, and returns their number. */
  long copy(String file, PeriodId period, OutputStream out) throws IOException {
    String select = String.valueOf(FILES.get(file)).formatted(period.value(), outcomes(period));
    // COPY writes times in the session's zone; a file must be the same in every zone.
    jdbc.sql("set local timezone = 'UTC'").update();
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      return connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyOut("copy (" + select + ") to stdout with (format csv, header)", out);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("COPY of " + file, e);
    } finally {
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private String outcomes(PeriodId period) {
    return jdbc
        .sql("select id from revision where period_id = :id order by id")
        .param("id", period.value())
        .query(String.class)
        .list()
        .stream()
        .collect(Collectors.joining(", "));
  }

  /** Deletes a table's rows of the period, and returns their number. */
  long delete(String table, PeriodId period) {
    return jdbc.sql("delete from " + table + " where period_id = :id")
        .param("id", period.value())
        .update();
  }

  /** Says what the lines or the payments of an outcome hash to, in their order. */
  record Root(int outcome, String what, String root) {}

  /** Computes the roots of what stays of the period: its posted lines and payments. */
  List<Root> roots(PeriodId period) {
    return jdbc.sql(
            """
            select id as outcome, what, root_of(what, id) as root
            from revision
            cross join (values ('lines'), ('payments')) as kind (what)
            where period_id = :id and posted_at is not null
            """)
        .param("id", period.value())
        .query(Root.class)
        .list();
  }

  /** Stores roots, and returns their digest. */
  String keep(PeriodId period, List<Root> roots) {
    for (Root root : roots) {
      jdbc.sql("insert into archived_root (outcome, what, root) values (:outcome, :what, :root)")
          .param("outcome", root.outcome())
          .param("what", root.what())
          .param("root", root.root())
          .update();
    }
    return jdbc.sql("select archive_digest(:id)")
        .param("id", period.value())
        .query(String.class)
        .single();
  }
}
