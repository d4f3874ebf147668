package palmares.archive;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What belongs to a period, table by table, in an order that never changes. */
final class ArchiveSql {
  private ArchiveSql() {}

  /**
   * What may be dropped once it is in files: the journal, and what was worked out from it first.
   */
  static final Map<String, String> DROPPED =
      inOrder(
          Map.entry("journal", "event"),
          Map.entry("commits", "committed_event"),
          // At last: from when its own table is dropped, whoever reads the shared one waits.
          Map.entry("snapshot", "snapshot"));

  /**
   * A statement for each file, by the file's name without its end; {@code %d} is the period's id.
   * What changes by itself, such as a lease, is not in them: written again they say the same.
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
              from period where id = %d
              """),
          Map.entry(
              "definitions",
              """
              select hash, source from definition
              where hash in (
                select definition_hash from period where id = %1$d
                union select definition_hash from revision where period_id = %1$d)
              order by hash
              """),
          Map.entry("journal", "select * from event where period_id = %d order by seq"),
          Map.entry("commits", "select * from committed_event where period_id = %d order by n"),
          Map.entry("snapshot", "select * from snapshot where period_id = %d order by member"),
          Map.entry("revisions", "select * from revision where period_id = %d order by revision"),
          Map.entry(
              "approvals", "select * from approval where period_id = %d order by revision, at, by"),
          Map.entry("manifests", "select * from manifest where period_id = %d order by revision"),
          Map.entry(
              "exclusions",
              "select * from frozen_exclusion where period_id = %d order by revision, member"),
          Map.entry(
              "corrections", "select * from correction where period_id = %d order by revision, n"),
          Map.entry(
              "amended-lines",
              "select * from amended_line where period_id = %d order by revision, member"),
          Map.entry(
              "standings", "select * from standing where period_id = %d order by revision, place"),
          Map.entry(
              "awards",
              """
              select * from award where period_id = %d
              order by revision, member, rule collate "C", currency collate "C"
              """),
          Map.entry(
              "tier-moves",
              "select * from tier_move where period_id = %d order by revision, member"),
          Map.entry(
              "transfers",
              """
              select
                transfer.*, payer.kind as from_kind, payer.name as from_name, payee.kind as to_kind,
                payee.name as to_name, payer.currency
              from transfer
              join account payer on payer.id = transfer.from_account
              join account payee on payee.id = transfer.to_account
              where transfer.period_id = %d
              order by transfer.id
              """),
          Map.entry(
              "late-events",
              """
              select late_event.* from late_event
              join period on period.board = late_event.board and period.name = late_event.period
              where period.id = %d
              order by late_event.id collate "C"
              """),
          Map.entry(
              "acts",
              """
              select act.*, act_link.hash from act
              left join act_link on act_link.act_id = act.id
              join period on period.board = act.board and period.name = act.period
              where period.id = %d and act.verb <> 'archive'
              order by act.id
              """));

  @SafeVarargs
  private static Map<String, String> inOrder(Map.Entry<String, String>... files) {
    var all = new LinkedHashMap<String, String>();
    for (Map.Entry<String, String> file : files) {
      all.put(file.getKey(), file.getValue());
    }
    return Collections.unmodifiableMap(all);
  }
}
