package palmares.operations.forgetting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.journal.Journal;
import palmares.live.member.InviteCode;
import palmares.live.member.MemberCodes;
import palmares.operations.archive.ArchiveRenaming.Renamed;
import palmares.operations.rebuild.Rebuild;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodId;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.period.WrongState;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.time.SqlTime;
import palmares.rules.board.MemberId;
import palmares.settlement.closing.Expiry;

/**
 * Forgets people. It works period by period, each in a transaction, and remembers the pseudonym
 * until the end. So an attempt that dies is completed by the next one.
 */
@Component
public class Forgetting {
  private static final Logger LOG = LoggerFactory.getLogger(Forgetting.class);

  /** The state with which {@code forget_in_period} refuses a period. */
  private static final String REFUSED = "23000";

  private static final int OUTCOMES_PER_STATEMENT = 100;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final KnownMembers known;
  private final Periods periods;
  private final BoardDefinitions definitions;
  private final Journal journal;
  private final Rebuild rebuild;
  private final Expiry expiry;
  private final StoredAnswers answers;
  private final RemainingNames remaining;
  private final ForgottenArchives archives;
  private final MemberCodes codes;
  private final AuditLog auditLog;
  private final Clock clock;

  Forgetting(
      DataSource dataSource,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      KnownMembers known,
      Periods periods,
      BoardDefinitions definitions,
      Journal journal,
      Rebuild rebuild,
      Expiry expiry,
      StoredAnswers answers,
      RemainingNames remaining,
      ForgottenArchives archives,
      MemberCodes codes,
      AuditLog auditLog,
      Clock clock) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.known = known;
    this.periods = periods;
    this.definitions = definitions;
    this.journal = journal;
    this.rebuild = rebuild;
    this.expiry = expiry;
    this.answers = answers;
    this.remaining = remaining;
    this.archives = archives;
    this.codes = codes;
    this.auditLog = auditLog;
    this.clock = clock;
  }

  /**
   * Says what forgetting a person would change.
   *
   * @param obstacles why it is refused now, each with what to do; empty if it is not
   * @param remains where the id stays until a person removes it, each with what to do
   * @param notes what may mean something else: texts that are not replaced, or all that has the id
   * @param touched the number of rows or periods, by what they are
   */
  public record Plan(
      List<String> obstacles,
      List<String> remains,
      List<String> notes,
      Map<String, Long> touched) {}

  /**
   * A person that is forgotten.
   *
   * @param remains where the id stays until a person removes it, each with what to do
   * @param notes what may mean something else: texts that are not replaced, or all that has the id
   * @param rows how many rows of PostgreSQL were renamed
   * @param rebuilt the open periods whose live boards were rebuilt
   * @param expired the settled periods whose live keys were removed before their retention was over
   * @param archives the periods whose archives were written again
   */
  public record Forgotten(
      MemberId pseudonym,
      List<String> remains,
      List<String> notes,
      long rows,
      List<String> rebuilt,
      List<String> expired,
      List<String> archives) {}

  /**
   * Finds what forgetting a person would change; changes nothing.
   *
   * @param reason must not contain the id
   * @throws WrongState if it does, or if nobody has this id
   */
  public Plan plan(MemberId member, String reason) {
    requireUnnamed(member, reason);
    String begun = pseudonym(member);
    List<String> notes = remaining.requireNamed(member, begun == null ? null : new MemberId(begun));
    Long[] touched = touched(member);
    var counts = new LinkedHashMap<String, Long>();
    counts.put("registrations", count("select count(*) from member where id = :member", member));
    counts.put("events", count("select count(*) from event where member = :member", member));
    counts.put(
        "events about the member",
        count("select count(*) from event where subject = :member", member));
    counts.put(
        "late events", count("select count(*) from late_event where member = :member", member));
    counts.put(
        "exclusions", count("select count(*) from exclusion where member = :member", member));
    counts.put(
        "audit entries", count("select count(*) from audit_entry where member = :member", member));
    for (PeriodState state : List.of(PeriodState.OPEN, PeriodState.SETTLED, PeriodState.EXPIRED)) {
      counts.put(
          state.word() + " periods",
          jdbc.sql("select count(*) from period where id = any(:ids) and state = :state")
              .param("ids", touched)
              .param("state", state.word())
              .query(Long.class)
              .single());
    }
    return new Plan(obstacles(member, touched), archives.unreachable(), notes, counts);
  }

  /** Refuses a reason that contains the id. */
  static void requireUnnamed(MemberId member, String reason) {
    if (reason.contains(member.value())) {
      throw new WrongState(
          "the reason is stored and contains the member's id: give another reason");
    }
  }

  private long count(String sql, MemberId member) {
    return jdbc.sql(sql).param("member", member.value()).query(Long.class).single();
  }

  /** The periods that have lines of the person, or events and late events that name it. */
  private Long[] touched(MemberId member) {
    List<Integer> outcomes = jdbc.sql("select id from revision").query(Integer.class).list();
    return jdbc.sql(
            """
            select period_id from revision where id = any(:outcomes::int[])
            union
            select period_id from event
            where member = :member or strpos(subject, :member) > 0 or strpos(id, :member) > 0
            union
            select period_id from committed_event
            where (member = :member or strpos(subject, :member) > 0 or strpos(id, :member) > 0)
              and period_id in (select id from period where state = 'open')
            union
            select period.id
            from late_event
            join period on period.board = late_event.board and period.name = late_event.period
            where member = :member
              or strpos(subject, :member) > 0
              or strpos(late_event.id, :member) > 0
            order by 1
            """)
        .param("outcomes", known.outcomesWith(member, outcomes).toArray(Integer[]::new))
        .param("member", member.value())
        .query(Long.class)
        .list()
        .toArray(Long[]::new);
  }

  private List<String> obstacles(MemberId member, Long[] touched) {
    return jdbc.sql(
            """
            select format('%s %s is %s: settle it first', board, name, state)
            from period
            where id = any(:ids) and is_closing(state)
            union all
            select format('%s %s has an undecided amendment: approve or reject it first', board,
              name)
            from revision
            join period on period.id = revision.period_id
            where revision.period_id = any(:ids)
              and base is not null
              and posted_at is null
              and verdict is distinct from 'rejected'
            union all
            select format('the quarantine of %s %s has an undecided event: resolve it first', board,
              name)
            from journal_quarantine
            join period on period.id = journal_quarantine.period_id
            where resolution is null
              and position(convert_to(:member, 'UTF8') in entry) > 0
            union all
            select format('the outbox target %s is between two parts of an outcome: try again once'
              ' it is delivered, or see palmares outbox', name)
            from outbox_target
            where batch is not null or parts > 0
            """)
        .param("ids", touched)
        .param("member", member.value())
        .query(String.class)
        .list();
  }

  /**
   * Checks that a person can be forgotten now; changes nothing.
   *
   * @param reason must not contain the id
   * @throws WrongState if not, because a person must do something first
   * @throws ForgettingIncomplete if not, and an earlier attempt has begun
   */
  public Plan check(MemberId member, String reason) {
    Plan plan = plan(member, reason);
    if (!plan.obstacles().isEmpty()) {
      String obstacles = String.join("\n  ", plan.obstacles());
      if (pseudonym(member) != null) {
        throw new ForgettingIncomplete(obstacles);
      }
      throw new WrongState("the member cannot be forgotten now:\n  " + obstacles);
    }
    return plan;
  }

  /**
   * Forgets a person, or completes an attempt that died. Of all processes, one at a time forgets.
   *
   * @param reason must not contain the id
   * @param progress receives the number of periods that are done
   * @throws WrongState if a person must do something first; nothing was changed
   * @throws ForgettingIncomplete if something is in the way, and a part is done
   */
  public Forgotten forget(MemberId member, String reason, String by, LongConsumer progress) {
    // A separate connection: the transactions in between end, and the lock must not.
    Connection connection = lock(member);
    try {
      return forgetLocked(member, reason, by, progress);
    } finally {
      unlock(connection);
    }
  }

  private Connection lock(MemberId member) {
    try {
      Connection connection = dataSource.getConnection();
      boolean locked = false;
      try (Statement statement = connection.createStatement()) {
        locked = call(statement, "pg_try_advisory_lock");
      } finally {
        if (!locked) {
          connection.close();
        }
      }
      if (!locked) {
        String busy = "a person is being forgotten already: try again once that has ended";
        throw pseudonym(member) == null ? new WrongState(busy) : new ForgettingIncomplete(busy);
      }
      return connection;
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("the lock of forgetting failed", e);
    }
  }

  /** A connection that was lost has no lock any more, and what was done stays done. */
  private static void unlock(Connection connection) {
    try (connection;
        Statement statement = connection.createStatement()) {
      call(statement, "pg_advisory_unlock");
    } catch (SQLException e) {
      LOG.warn("the connection with the lock of forgetting was lost", e);
    }
  }

  private static boolean call(Statement statement, String function) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "select %s(hashtextextended('forgetting', 0))".formatted(function))) {
      return row.next() && row.getBoolean(1);
    }
  }

  private Forgotten forgetLocked(MemberId member, String reason, String by, LongConsumer progress) {
    Plan plan = check(member, reason);
    MemberId pseudonym = begin(member);
    var rebuilt = new ArrayList<String>();
    long rows = renameEverywhere(member, pseudonym);
    List<Long> ids = jdbc.sql("select id from period order by id").query(Long.class).list();
    for (int i = 0; i < ids.size(); i++) {
      progress.accept(i);
      Period period = periods.get(new PeriodId(ids.get(i)));
      if (isOnLiveBoard(period, member)) {
        rows += renameOpen(period, member, pseudonym);
        rebuilt.add(period.label());
      } else {
        rows += renameIn(period.id(), member, pseudonym);
      }
    }
    var remains = new ArrayList<String>();
    List<String> expired = expire(remains);
    Renamed files = archives.rename(member, pseudonym, reason, by);
    remains.addAll(files.remains());
    answers.remove(member.value());
    remaining.requireNoLines(member);
    rows += end(member, pseudonym, reason, by);
    return new Forgotten(pseudonym, remains, plan.notes(), rows, rebuilt, expired, files.renamed());
  }

  private @Nullable String pseudonym(MemberId member) {
    return jdbc.sql("select pseudonym from forgetting where member = :member")
        .param("member", member.value())
        .query(String.class)
        .optional()
        .orElse(null);
  }

  /** Stores the pseudonym, unless an earlier attempt has stored one. */
  private MemberId begin(MemberId member) {
    String before = pseudonym(member);
    if (before != null) {
      return new MemberId(before);
    }
    Neighbours ties = ties(member);
    MemberId pseudonym =
        Pseudonyms.between(ties.above(), ties.below())
            .orElseThrow(
                () ->
                    new WrongState(
                        "the member has lines that only the ids put in order, and no pseudonym fits"
                            + " between '%s' and '%s'".formatted(ties.above(), ties.below())));
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql(
                  """
                  insert into forgetting (member, pseudonym, started_at)
                  values (:member, :pseudonym, :now)
                  """)
              .param("member", member.value())
              .param("pseudonym", pseudonym.value())
              .param("now", SqlTime.utc(clock.instant()))
              .update();
          codes.keep(member, pseudonym);
        });
    return pseudonym;
  }

  /** The greatest smaller id and the smallest greater one among members with equal lines. */
  private record Neighbours(@Nullable String above, @Nullable String below) {}

  private Neighbours ties(MemberId member) {
    List<Integer> all = jdbc.sql("select id from revision").query(Integer.class).list();
    List<Integer> outcomes = new ArrayList<>(known.outcomesWith(member, all));
    String above = null;
    String below = null;
    for (int from = 0; from < outcomes.size(); from += OUTCOMES_PER_STATEMENT) {
      int to = Math.min(from + OUTCOMES_PER_STATEMENT, outcomes.size());
      Neighbours some = ties(member, outcomes.subList(from, to).toArray(Integer[]::new));
      above = extreme(above, some.above(), 1);
      below = extreme(below, some.below(), -1);
    }
    return new Neighbours(above, below);
  }

  private static @Nullable String extreme(@Nullable String one, @Nullable String other, int sign) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    int order = Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
    return sign * order >= 0 ? one : other;
  }

  private Neighbours ties(MemberId member, Integer[] outcomes) {
    return jdbc.sql(
            """
            select max(equal.member) filter (where equal.member < own.member) as above,
              min(equal.member) filter (where equal.member > own.member) as below
            from line own
            join line equal
              on equal.outcome = own.outcome
              and equal.place between own.place - 1 and own.place + 1
              and (equal.points, equal.then_by, equal.arrival, equal.reached_at)
                is not distinct from (own.points, own.then_by, own.arrival, own.reached_at)
            where own.outcome = any(:outcomes::int[])
              and equal.outcome = any(:outcomes::int[])
              and own.member = :member
            """)
        .param("outcomes", outcomes)
        .param("member", member.value())
        .query(Neighbours.class)
        .single();
  }

  /**
   * Whether the period is open, and its live board or the journal behind it names the person, or an
   * earlier attempt has left the board halted.
   */
  private boolean isOnLiveBoard(Period period, MemberId member) {
    if (period.state() != PeriodState.OPEN || !definitions.of(period).kind().countsEvents()) {
      return false;
    }
    journal.drain(period, done -> {});
    return jdbc.sql(
            """
            select exists (
              select from event
              where period_id = :period
                and strpos(concat_ws(' ', member, subject, id), :member) > 0
              union all
              select from committed_event
              where period_id = :period
                and strpos(concat_ws(' ', member, subject, id), :member) > 0
              union all
              select from exclusion_in_force
              where period_id = :period and member = :pseudonym
              union all
              select from (
                select ended_at from rebuild where period_id = :period order by fence desc limit 1
              ) latest
              where ended_at is null)
            """)
        .param("period", period.id().value())
        .param("member", member.value())
        .param("pseudonym", pseudonym(member))
        .query(Boolean.class)
        .single();
  }

  private long renameOpen(Period period, MemberId member, MemberId pseudonym) {
    var rows = new long[1];
    boolean busy =
        rebuild
            .run(
                period.id(),
                () -> requireOpen(period),
                () -> rows[0] += renameIn(period.id(), member, pseudonym))
            .isEmpty();
    if (busy) {
      throw new ForgettingIncomplete("another process works on " + period.label());
    }
    return rows[0];
  }

  /** Halting the board of a sealed period would keep the period from being closed. */
  private void requireOpen(Period period) {
    String state =
        jdbc.sql("select state from period where id = :id for no key update")
            .param("id", period.id().value())
            .query(String.class)
            .single();
    if (!state.equals(PeriodState.OPEN.word())) {
      throw new ForgettingIncomplete("%s is %s: settle it first".formatted(period.label(), state));
    }
  }

  private long renameIn(PeriodId period, MemberId member, MemberId pseudonym) {
    try {
      return rename(
          "forget_in_period(:period, :former, :pseudonym, :now)",
          period.value(),
          member,
          pseudonym);
    } catch (DataIntegrityViolationException e) {
      if (e.getMostSpecificCause() instanceof PSQLException refusal
          && REFUSED.equals(refusal.getSQLState())
          && refusal.getServerErrorMessage() != null) {
        throw new ForgettingIncomplete(
            String.valueOf(refusal.getServerErrorMessage().getMessage()));
      }
      throw e;
    }
  }

  private long renameEverywhere(MemberId member, MemberId pseudonym) {
    return rename("forget_everywhere(:former, :pseudonym, :code)", 0L, member, pseudonym);
  }

  private long rename(String function, long period, MemberId member, MemberId pseudonym) {
    return Objects.requireNonNull(
        transaction.execute(
            status ->
                jdbc.sql("select " + function)
                    .param("period", period)
                    .param("former", member.value())
                    .param("pseudonym", pseudonym.value())
                    .param("now", SqlTime.utc(clock.instant()))
                    .param("code", InviteCode.random(RANDOM).value())
                    .query(Long.class)
                    .single()));
  }

  /**
   * Removes the live keys of settled periods whose retention is over, or was ended here. If that
   * fails, the expiry job retries.
   *
   * @param remains receives those whose keys remain
   */
  private List<String> expire(List<String> remains) {
    List<PeriodId> settled =
        jdbc.sql("select id from expirable where expires_at <= :now order by id")
            .param("now", SqlTime.utc(clock.instant()))
            .query((row, n) -> new PeriodId(row.getLong("id")))
            .list();
    expiry.expire(settled, done -> {});
    var expired = new ArrayList<String>();
    for (PeriodId id : settled) {
      Period period = periods.get(id);
      if (period.state().isExpired()) {
        expired.add(period.label());
      } else {
        remains.add(
            "the live keys of %s, until they can be removed: palmares memory shows why not yet"
                .formatted(period.label()));
      }
    }
    return expired;
  }

  /** Renames what has been written meanwhile, too: texts of other people, and of other attempts. */
  private long end(MemberId member, MemberId pseudonym, String reason, String by) {
    return Objects.requireNonNull(
        transaction.execute(
            status -> {
              long rows = renameEverywhere(member, pseudonym);
              remaining.requireUnnamed(member, pseudonym);
              String digest =
                  jdbc.sql("select forgotten_digest(:pseudonym)")
                      .param("pseudonym", pseudonym.value())
                      .query(String.class)
                      .single();
              auditLog.append(
                  new AuditEntry(
                      by,
                      "forget",
                      null,
                      null,
                      null,
                      pseudonym.value(),
                      "%s [%s]".formatted(reason, digest)));
              jdbc.sql("delete from forgetting where member = :member")
                  .param("member", member.value())
                  .update();
              return rows;
            }));
  }
}
