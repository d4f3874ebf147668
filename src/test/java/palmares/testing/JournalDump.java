package palmares.testing;

import java.util.ArrayList;
import java.util.List;
import palmares.period.Period;

/**
 * A period's journal in PostgreSQL as it was once: a standby that lagged behind and was promoted
 * goes back to it.
 */
public final class JournalDump {
  private static final List<String> TABLES =
      List.of(
          "event",
          "journal_position",
          "journal_quarantine",
          "committed_event",
          "relay",
          "relay_position");

  private final long period;
  private final List<String> rows = new ArrayList<>();

  private JournalDump(Period period) {
    this.period = period.id().value();
  }

  public static JournalDump of(Records records, Period period) {
    var dump = new JournalDump(period);
    for (String table : TABLES) {
      dump.rows.add(
          records
              .words(
                  "select coalesce(json_agg(t), '[]')::text from %s t where period_id = %d"
                      .formatted(table, dump.period))
              .get(0));
    }
    return dump;
  }

  /** Puts it back, and nothing besides. */
  public void restore(Servers servers) {
    servers.unguarded(
        () -> {
          for (int i = 0; i < TABLES.size(); i++) {
            String table = TABLES.get(i);
            servers.sql("delete from %s where period_id = ?".formatted(table), period);
            servers.sql(
                "insert into %1$s select * from json_populate_recordset(null::%1$s, ?::json)"
                    .formatted(table),
                rows.get(i));
          }
        });
  }
}
