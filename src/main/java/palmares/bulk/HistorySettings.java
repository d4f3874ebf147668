package palmares.bulk;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How history is kept.
 *
 * @param ownTablesFrom a period of so many members, or more, gets tables of its own; fewer share
 *     one, since making tables takes longer than filling them
 * @param ownTables so many periods at the most have tables of their own at a time: a transaction
 *     that reads all of them takes 14 locks for each, and PostgreSQL's stock settings have room for
 *     6,400 of all connections together
 */
@ConfigurationProperties("palmares.history")
record HistorySettings(
    @DefaultValue("50000") long ownTablesFrom, @DefaultValue("16") int ownTables) {
  HistorySettings {
    if (ownTablesFrom < 1 || ownTables < 0) {
      throw new IllegalArgumentException(
          "palmares.history: own-tables-from is 1 or more, own-tables 0 or more; not %d, %d"
              .formatted(ownTablesFrom, ownTables));
    }
  }
}
