package palmares.platform.nodes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Ends sessions of PostgreSQL in which a server that hangs holds locks. The machine of a process
 * that is stopped, or swaps, still acknowledges what PostgreSQL sends, so that PostgreSQL would
 * wait for it without end, and all others for its locks.
 */
@Component
public class HungSessions {
  /** A server without a heartbeat for this time hangs, if it still has sessions. */
  public static final Duration MAX_SILENCE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(HungSessions.class);

  private final JdbcClient jdbc;
  private final Clock clock;
  private @Nullable Beats beats;

  /** Heartbeats of this server without a gap in which it would count as dead. */
  private record Beats(Instant first, Instant last) {}

  HungSessions(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  private record Ended(String node, int pid, Instant seen) {}

  /**
   * Ends the transactions that wait for a server of this database which has sent no heartbeat for a
   * minute. Those of other programs, of other roles, and of a process that has started since, are
   * left alone. To be called after each heartbeat of this server: ends none until they were sent
   * for a minute, because others may have been as silent as this one for the same reason.
   *
   * @return how many
   */
  public synchronized int end() {
    Instant now = clock.instant();
    Beats before = beats;
    Beats known =
        before == null || isGap(Duration.between(before.last(), now))
            ? new Beats(now, now)
            : new Beats(before.first(), now);
    beats = known;
    Instant hung = now.minus(MAX_SILENCE);
    return known.first().isAfter(hung) ? 0 : endSilentSince(hung);
  }

  private static boolean isGap(Duration passed) {
    return passed.isNegative() || passed.compareTo(Nodes.MAX_HEARTBEAT_AGE) > 0;
  }

  private int endSilentSince(Instant hung) {
    List<Ended> ended =
        jdbc.sql(
                """
                with hung as materialized (
                  select name, pid, seen_at
                  from node
                  join pg_stat_activity
                    on pg_stat_activity.application_name = left('palmares ' || process, 63)
                  where datname = current_database()
                    and usename = current_user
                    and xact_start is not null
                    and wait_event_type = 'Client'
                    and process <> :own
                    and seen_at <= :hung
                    and backend_start <= seen_at + make_interval(secs => :age)
                    and not exists (
                      select from node alive
                      where alive.process = node.process and alive.seen_at > :hung)
                )
                select name as node, pid, seen_at as seen from hung
                where pg_terminate_backend(pid)
                """)
            .param("own", ThisProcess.NAME)
            .param("hung", hung)
            .param("age", Nodes.MAX_HEARTBEAT_AGE.toSeconds())
            .query(Ended.class)
            .list();
    ended.forEach(
        session ->
            LOG.warn(
                "ended session {} of the server {}, which has sent no heartbeat since {} and may"
                    + " hold locks; others continue its work",
                session.pid(),
                session.node(),
                session.seen()));
    return ended.size();
  }
}
