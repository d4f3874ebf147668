package palmares.bulk;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * A big period's rows stand in a table of their own, which inherits from the one that all share:
 * filled without an index, given its indexes once, and then part of whatever reads the shared one.
 * Its rows cost no other period anything, and go when it is dropped.
 */
@Component
@EnableConfigurationProperties(HistorySettings.class)
public class OwnTables {
  private static final Pattern INDEX = Pattern.compile("INDEX .* USING");
  private static final Pattern TRIGGER =
      Pattern.compile("((?:INSERT|UPDATE|DELETE|TRUNCATE) ON) \\S+ (REFERENCING|FOR)");

  private static final Logger LOG = LoggerFactory.getLogger(OwnTables.class);

  /**
   * Waits for readers a moment at a time, since whoever reads the shared table queues behind it
   * meanwhile.
   */
  private static final String DROP =
      """
      do $$
      begin
        perform set_config('lock_timeout', '200ms', true);
        for attempt in 1..4 loop
          begin
            drop table if exists %s;
            perform set_config('lock_timeout', '%s', true);
            return;
          exception when lock_not_available then
            if attempt = 4 then
              raise;
            end if;
            perform pg_sleep(0.3);
          end;
        end loop;
      end $$
      """;

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final JdbcClient jdbc;
  private final HistorySettings settings;
  private final AtomicBoolean full = new AtomicBoolean();

  /** A trigger, and its name if it also holds where a session asks for no triggers. */
  private record Law(String law, @Nullable String always) {
    void put(String own, Consumer<String> run) {
      run.accept(TRIGGER.matcher(law).replaceFirst("$1 " + own + " $2"));
      if (always != null) {
        run.accept("alter table %s enable always trigger %s".formatted(own, always));
      }
    }
  }

  OwnTables(JdbcClient jdbc, HistorySettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
  }

  /** Whether so many rows are worth the memory and the connections of a big period. */
  public boolean suit(long rows) {
    return rows >= settings.ownTablesFrom();
  }

  /**
   * Whether the period, of so many rows, may have tables of its own: it has one already, or fewer
   * periods have than are stated. Closings that begin at the same moment may pass that by one each.
   */
  public boolean admits(long period, long rows) {
    if (!suit(rows)) {
      return false;
    }
    boolean room =
        jdbc.sql(
                """
                select coalesce(bool_or(owner = :period), false) or count(distinct owner) < :most
                from (
                  select substring(relname from '\\d+$')::bigint as owner
                  from pg_class
                  where relnamespace = current_schema()::regnamespace
                    and relkind = 'r'
                    and relname ~ '^(snapshot|standing|award|transfer|entry)_\\d+$'
                ) own
                """)
            .param("period", period)
            .param("most", settings.ownTables())
            .query(Boolean.class)
            .single();
    if (!room && !full.getAndSet(true)) {
      LOG.warn(
          "big periods use the shared tables from period id {} on: {} have their own tables, as"
              + " palmares.history.own-tables allows",
          period,
          settings.ownTables());
    }
    return room;
  }

  /** What the period's own table is called. */
  public static String name(String shared, long period) {
    return shared + "_" + period;
  }

  /**
   * Makes the period's own table, empty, in place of one that an earlier attempt may have left.
   * Nobody sees its rows before {@link #join}.
   *
   * @return its name
   */
  @Transactional
  public String begin(String shared, long period) {
    drop(shared, period);
    String own = name(shared, period);
    // Nothing in it ever changes, and joining looks at it: autovacuum would only take the time.
    run(
        """
        create table %s (like %s including defaults including constraints including storage)
        with (autovacuum_enabled = off)
        """
            .formatted(own, shared));
    copyNumbering(shared, own);
    copyLaws(shared, own);
    return own;
  }

  /** By the sequence's own name: what looks it up is asked for each row. */
  private void copyNumbering(String shared, String own) {
    jdbc.sql(
            """
            select format('alter table %s alter %I set default nextval(%L::regclass)',
              :own, attname, pg_get_serial_sequence(:shared, attname))
            from pg_attribute
            where attrelid = to_regclass(:shared) and attidentity <> ''
            """)
        .param("own", own)
        .param("shared", shared)
        .query(String.class)
        .list()
        .forEach(this::run);
  }

  private void copyLaws(String shared, String own) {
    jdbc.sql(
            """
            select
              pg_get_triggerdef(oid) as law,
              case tgenabled when 'A' then quote_ident(tgname) end as always
            from pg_trigger
            where tgrelid = to_regclass(:shared) and not tgisinternal
            """)
        .param("shared", shared)
        .query(Law.class)
        .list()
        .forEach(law -> law.put(own, this::run));
  }

  /** Whether the period has a table of its own, joined or not. */
  public boolean has(String shared, long period) {
    return jdbc.sql("select to_regclass(:own) is not null")
        .param("own", name(shared, period))
        .query(Boolean.class)
        .single();
  }

  /**
   * Gives the filled table the shared one's indexes, and makes it part of the shared one, in the
   * transaction that is under way.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void join(String shared, long period) {
    join(shared, period, "period_id = " + period);
  }

  /**
   * As {@link #join(String, long)}.
   *
   * @param check what is true of its rows alone: by it the planner leaves the table out of what is
   *     asked of others
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void join(String shared, long period, String check) {
    String own = name(shared, period);
    run("set local maintenance_work_mem = '256MB'");
    jdbc.sql(
            """
            select pg_get_indexdef(indexrelid) from pg_index
            where indrelid = to_regclass(:shared)
            order by indexrelid
            """)
        .param("shared", shared)
        .query(String.class)
        .list()
        .forEach(index -> run(INDEX.matcher(index).replaceFirst("INDEX ON " + own + " USING")));
    run("alter table %s add check (%s), inherit %s".formatted(own, check, shared));
    run("analyze " + own);
  }

  /** Whether the period has a table of its own that others see. */
  public boolean joined(String shared, long period) {
    return jdbc.sql(
            """
            select exists (
              select from pg_inherits
              where inhrelid = to_regclass(:own) and inhparent = to_regclass(:shared))
            """)
        .param("own", name(shared, period))
        .param("shared", shared)
        .query(Boolean.class)
        .single();
  }

  /** About how many rows the period's own table got before it was joined; 0 if it has none. */
  public long rows(String shared, long period) {
    return jdbc.sql(
            "select coalesce(max(reltuples), 0) from pg_class where oid = to_regclass(:own)")
        .param("own", name(shared, period))
        .query(Double.class)
        .single()
        .longValue();
  }

  /**
   * Drops the period's own table, if there is one.
   *
   * @throws TableInUse if others go on reading it
   */
  @Transactional
  public void drop(String shared, long period) {
    if (!has(shared, period)) {
      return;
    }
    String own = name(shared, period);
    String former = jdbc.sql("show lock_timeout").query(String.class).single();
    try {
      run(DROP.formatted(own, former));
    } catch (DataAccessException e) {
      if (e.getMostSpecificCause() instanceof SQLException cause
          && LOCK_NOT_AVAILABLE.equals(cause.getSQLState())) {
        throw new TableInUse(own, e);
      }
      throw e;
    }
  }

  private void run(String sql) {
    jdbc.sql(sql).update();
  }
}
