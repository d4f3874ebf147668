package palmares.console;

import palmares.testing.Servers;

/** Makes PostgreSQL refuse or delay the end of each closing, until the outage ends. */
final class Outage {
  private Outage() {}

  static void refuse(Servers servers) {
    onSettled(servers, "raise exception 'no room on the disk'");
  }

  /** The end of each closing waits for a lock of the test. */
  static void awaitLock(Servers servers, long lock) {
    onSettled(servers, "perform pg_advisory_xact_lock(%d)".formatted(lock));
  }

  static void end(Servers servers) {
    servers.sql("drop trigger if exists outage on period");
  }

  private static void onSettled(Servers servers, String statement) {
    end(servers);
    servers.sql(
        """
        create or replace function outage() returns trigger language plpgsql as $$
        begin
          %s;
          return null;
        end $$
        """
            .formatted(statement));
    servers.sql(
        """
        create trigger outage after update of state on period
        for each row when (new.state = 'settled') execute function outage()
        """);
  }
}
