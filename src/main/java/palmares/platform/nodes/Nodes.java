package palmares.platform.nodes;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.output.Wrapped;
import palmares.platform.redis.RedisAddress;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.sql.RecordMapper;

/**
 * Stores the heartbeats of servers, so that each of them knows which others run. All times are the
 * database server's, so that a machine whose clock is wrong counts like any other.
 */
@Component
@EnableConfigurationProperties(Nodes.Settings.class)
public class Nodes {
  /** A server without a heartbeat for this time does not run; it sends one every ten seconds. */
  public static final Duration MAX_HEARTBEAT_AGE = Duration.ofSeconds(25);

  /**
   * The form of journal entries, {@code jsonb} values and tables that this version writes. A
   * release that changes one of them, or a migration, raises the number.
   */
  public static final int FORMAT = 1;

  /** The oldest form that this version writes as long as a server runs which reads no newer one. */
  public static final int OLDEST_FORMAT = 1;

  private static final Duration NODE_RETENTION = Duration.ofDays(30);

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Settings settings;
  private final String redis;

  /** Differs from all other processes, also from those with the same name and process id. */
  private final UUID instance = UUID.randomUUID();

  Nodes(JdbcClient jdbc, Clock clock, Settings settings, RedisAddress redis) {
    this.redis = redis.toString();
    this.jdbc = jdbc;
    this.clock = clock;
    this.settings = settings;
  }

  /**
   * Settings of this process as a server of the installation.
   *
   * @param node its name, which no other server has; by default the host name and process id
   * @param roles what it runs: {@code writer}, {@code scheduler} or both; a server sets it
   */
  @ConfigurationProperties("palmares")
  record Settings(@Nullable String node, @DefaultValue({}) List<String> roles) {
    static final List<String> ROLES = List.of("writer", "scheduler");

    String name() {
      return node == null || node.isBlank() ? ThisProcess.NAME : node;
    }
  }

  /** Whether this process is a server, and no command. */
  boolean isServer() {
    return !settings.roles().isEmpty();
  }

  /** The name of this process as a server; by default its host name and process id. */
  public String name() {
    return settings.name();
  }

  /**
   * Stores that this server runs, and deletes the rows of those that ended a month ago. Stores
   * nothing while another process runs under its name, which is the {@link #holder}.
   *
   * @param redisFailure why this server could not use Redis just now; null if it could
   */
  public void beat(@Nullable Reason redisFailure) {
    Instant now = clock.instant();
    jdbc.sql(
            """
            with old as (
              delete from node where seen_at < :old
            )
            insert into node (
              name, process, instance, roles, format, redis, started_at, seen_at, redis_down_since,
              redis_failure)
            values (
              :name, :process, :instance, :roles, :format, :redis, :now, :now, :redisDown,
              :redisFailure)
            on conflict (name) do update
            set process = excluded.process, instance = excluded.instance, roles = excluded.roles,
              format = excluded.format, redis = excluded.redis,
              seen_at = excluded.seen_at, stopped_at = null,
              redis_failure = excluded.redis_failure,
              redis_down_since = case
                when excluded.redis_down_since is not null
                  then coalesce(node.redis_down_since, excluded.redis_down_since) end,
              started_at = case
                when node.stopped_at is null and node.instance = excluded.instance
                  then node.started_at
                else excluded.started_at end
            where node.instance = excluded.instance
              or node.stopped_at is not null
              or node.seen_at < :alive
            """)
        .param("name", name())
        .param("process", ThisProcess.NAME)
        .param("instance", instance)
        .param("roles", settings.roles())
        .param("format", FORMAT)
        .param("redis", redis)
        .param("now", now)
        .param("redisDown", redisFailure == null ? null : now)
        .param("redisFailure", redisFailure)
        .param("old", now.minus(NODE_RETENTION))
        .param("alive", now.minus(MAX_HEARTBEAT_AGE))
        .update();
  }

  /** A process that has the name of this one, and its last heartbeat. */
  public record Holder(String process, Instant seen) {}

  /** Finds another process that runs under the name of this one. */
  public Optional<Holder> holder() {
    return jdbc.sql(
            """
            select process, seen_at as seen from node
            where name = :name
              and instance <> :instance
              and stopped_at is null
              and seen_at >= :alive
            """)
        .param("name", name())
        .param("instance", instance)
        .param("alive", clock.instant().minus(MAX_HEARTBEAT_AGE))
        .query(Holder.class)
        .optional();
  }

  /** A server that writes a format which this version does not read. */
  public record Newer(String name, int format) {}

  /** Finds a server that runs and writes a format which this version does not read. */
  public Optional<Newer> newer() {
    return jdbc.sql(
            """
            select name, format from node
            where format > :format and stopped_at is null and seen_at >= :alive
            order by name
            limit 1
            """)
        .param("format", FORMAT)
        .param("alive", clock.instant().minus(MAX_HEARTBEAT_AGE))
        .query(Newer.class)
        .optional();
  }

  void ping() {
    jdbc.sql("select 1").query(Integer.class).single();
  }

  /** Stores that this server was stopped, and did not die. */
  public void stop() {
    jdbc.sql("update node set stopped_at = :now where name = :name and instance = :instance")
        .param("name", name())
        .param("instance", instance)
        .param("now", clock.instant())
        .update();
  }

  /**
   * Stores that a sweep has ended here, without a failure. A command that sweeps has no heartbeats,
   * and keeps no server from its name.
   */
  public void swept() {
    jdbc.sql(
            """
            insert into node (
              name, process, instance, roles, format, redis, started_at, seen_at, swept_at,
              stopped_at)
            values (:name, :process, :instance, :roles, :format, :redis, :now, :now, :now, :now)
            on conflict (name) do update
            set swept_at = excluded.swept_at
            """)
        .param("name", name())
        .param("process", ThisProcess.NAME)
        .param("instance", instance)
        .param("roles", settings.roles())
        .param("format", FORMAT)
        .param("redis", redis)
        .param("now", clock.instant())
        .update();
  }

  /** Counts the servers that run, by role; 0 for a role that none has. */
  public Map<String, Long> running() {
    var running = new HashMap<String, Long>();
    Settings.ROLES.forEach(role -> running.put(role, 0L));
    running.putAll(
        jdbc.sql(
                """
                select role, count(*) as nodes
                from node
                cross join unnest(roles) as role
                where stopped_at is null and seen_at >= :alive
                group by role
                """)
            .param("alive", clock.instant().minus(MAX_HEARTBEAT_AGE))
            .query(RecordMapper.map(String.class, Long.class)));
    return running;
  }

  /**
   * A server of the last month.
   *
   * @param process its host name and process id
   * @param state {@code running}, {@code stopped}, or {@code lost} if it has ended without saying
   *     so
   * @param redis which Redis it uses
   * @param sweptAt when its last sweep ended; null if it never did
   */
  public record Node(
      @Wrapped String node,
      @Wrapped String process,
      List<String> roles,
      @Wrapped String redis,
      String state,
      Instant startedAt,
      Instant seenAt,
      @Nullable Instant sweptAt) {}

  /** Returns the servers of the last month, by name. */
  public List<Node> all() {
    return jdbc.sql(
            """
            select name as node, process, roles, redis, started_at, seen_at, swept_at,
              case
                when stopped_at is not null then 'stopped'
                when seen_at >= :alive then 'running'
                else 'lost'
              end as state
            from node
            order by name
            """)
        .param("alive", clock.instant().minus(MAX_HEARTBEAT_AGE))
        .query(Node.class)
        .list();
  }

  /** Why a server cannot use Redis, and since when. */
  public record RedisOutage(Reason reason, Instant since) {}

  /** Finds the longest outage of Redis that a running server sees; empty if none sees one. */
  public Optional<RedisOutage> redisOutage() {
    return jdbc.sql(
            """
            select redis_failure as reason, redis_down_since as since from node
            where redis_down_since is not null and stopped_at is null and seen_at >= :alive
            order by redis_down_since
            limit 1
            """)
        .param("alive", clock.instant().minus(MAX_HEARTBEAT_AGE))
        .query(RedisOutage.class)
        .optional();
  }

  /** Finds when any server's last sweep ended; empty if none ever did. */
  public Optional<Instant> sweptAt() {
    return jdbc.sql(
            """
            select swept_at from node
            where swept_at is not null
            order by swept_at desc
            limit 1
            """)
        .query(Instant.class)
        .optional();
  }
}
