package palmares.bulk;

import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
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

  private final JdbcClient jdbc;
  private final HistorySettings settings;

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

  /** Whether so many rows are worth a table. */
  public boolean suit(long rows) {
    return rows >= settings.ownTablesFrom();
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

  /** Drops the period's own table, if there is one. */
  @Transactional
  public void drop(String shared, long period) {
    run("drop table if exists " + name(shared, period));
  }

  private void run(String sql) {
    jdbc.sql(sql).update();
  }
}
