package palmares.audit;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.board.Board;
import palmares.board.Sha256;
import palmares.proof.ManifestSql;
import palmares.proof.Manifests;

/** Holds manifests against the tables, field by field. */
@Component
class ManifestAudit {
  /** What a manifest tells of rows that are in files once the period is archived. */
  private static final Set<String> IN_FILES =
      Set.of(
          "events", "events-checksum", "snapshot-members", "snapshot-points", "snapshot-checksum");

  private static final String STORED =
      """
      select period.id, manifest.body, manifest.hash, period.archived_at is not null as archived
      from period
      join revision on revision.period_id = period.id and revision.revision = :revision
      left join manifest
        on manifest.period_id = period.id and manifest.revision = revision.revision
      where period.id = any(:ids)
      order by period.id
      """;

  private final JdbcClient jdbc;

  ManifestAudit(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void compare(Findings findings, int revision, Board board, Map<Long, String> labels) {
    Long[] ids = labels.keySet().toArray(Long[]::new);
    Map<Long, Map<String, String>> told = told(revision, board, ids);
    jdbc.sql(STORED)
        .param("ids", ids)
        .param("revision", revision)
        .query(
            row -> {
              String where = labels.getOrDefault(row.getLong("id"), "");
              String what = "manifest of revision " + revision;
              String body = row.getString("body");
              if (body == null) {
                findings.add(new Difference(where, what, "a text and its hash", null));
                return;
              }
              if (!Sha256.of(body).equals(row.getString("hash"))) {
                findings.add(
                    new Difference(
                        where, "hash of the " + what, Sha256.of(body), row.getString("hash")));
              }
              var now = new HashMap<>(told.getOrDefault(row.getLong("id"), Map.of()));
              var then = written(body);
              if (row.getBoolean("archived")) {
                now.keySet().removeAll(IN_FILES);
                then.keySet().removeAll(IN_FILES);
              }
              fields(findings, where, what, now, then);
            });
  }

  private Map<Long, Map<String, String>> told(int revision, Board board, Long[] ids) {
    var told = new HashMap<Long, Map<String, String>>();
    jdbc.sql(ManifestSql.FIELDS)
        .param("ids", ids)
        .param("revision", revision)
        .params(Manifests.parameters(board))
        .query(
            row -> {
              told.computeIfAbsent(row.getLong("period_id"), id -> new HashMap<>())
                  .put(row.getString("field"), Manifests.escaped(row.getString("value")));
            });
    return told;
  }

  private static void fields(
      Findings findings,
      String where,
      String what,
      Map<String, String> told,
      Map<String, String> written) {
    var names = new TreeSet<>(told.keySet());
    names.addAll(written.keySet());
    for (String name : names) {
      String now = told.get(name);
      String then = written.get(name);
      if (now == null || !now.equals(then)) {
        findings.add(new Difference(where, "%s in the %s".formatted(name, what), now, then));
      }
    }
  }

  private static Map<String, String> written(String body) {
    var fields = new LinkedHashMap<String, String>();
    for (String line : body.split("\n")) {
      int colon = line.indexOf(": ");
      fields.put(
          colon < 0 ? line : line.substring(0, colon), colon < 0 ? "" : line.substring(colon + 2));
    }
    return fields;
  }
}
