package palmares.period;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.platform.sql.RecordMapper;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;

/** Finds periods that are due to be closed or expired, and schedules retries of failed ones. */
@Component
public class DuePeriods {
  private static final Duration FIRST_RETRY_DELAY = Duration.ofMinutes(1);
  private static final Duration MAX_RETRY_DELAY = Duration.ofHours(1);
  private static final Duration MAX_EXPIRY_RETRY_DELAY = Duration.ofHours(6);

  private final JdbcClient jdbc;
  private final Clock clock;
  private final BoardPauses pauses;

  DuePeriods(JdbcClient jdbc, Clock clock, BoardPauses pauses) {
    this.jdbc = jdbc;
    this.clock = clock;
    this.pauses = pauses;
  }

  /**
   * Leaves out paused boards, and periods that need a person; a held one is kept once its time of
   * release is past.
   */
  private static final String NEEDS_NO_PERSON =
      """
      and not exists (select from board_pause where board_pause.board = period.board)
      and state <> 'rejected'
      and (state <> 'held'
        or (select release_at from revision where period_id = period.id and revision = 1) <= :now)
      """;

  private static final String DUE =
      """
      select period.id from period
      where settled_at is null
        and closes_at <= :now
        and (retry_at is null or retry_at <= :now)
        and not exists (
          select from import_run where id = opened_by_import and ended_at is null)
      """
          + NEEDS_NO_PERSON;

  /** Before the seal, no more members than events. */
  private static final String MEMBERS_TO_FILL =
      """
      case when is_filled(state) then 0 else
        coalesce(
          rebuilt_members,
          sealed_members,
          (select drained from journal_position where period_id = period.id),
          0)
      end
      """
          .strip();

  private static final String EARLIEST_FIRST = "order by closes_at, period.id";

  /**
   * Finds periods that schedulers should close, earliest first. Leaves out those whose retry is not
   * due yet, those of an import that has not ended or of a paused board, and those that need a
   * person.
   */
  public List<PeriodId> due() {
    return ids(DUE + EARLIEST_FIRST);
  }

  /**
   * Finds the earliest of {@link #due} whose lease is free, and locks its row until the transaction
   * ends, so that nobody else finds it. A row that another transaction has locked is skipped.
   *
   * @param without periods that are not found
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Optional<PeriodId> lockNextDue(Collection<PeriodId> without) {
    return lockNextDue(without, Long.MAX_VALUE);
  }

  /**
   * As {@link #lockNextDue(Collection)}.
   *
   * @param most periods that may have to be filled with more members than this are not found
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public Optional<PeriodId> lockNextDue(Collection<PeriodId> without, long most) {
    return jdbc.sql(
            DUE
                + "and (lease_until is null or lease_until <= :now)\n"
                + "and period.id <> all(:without)\n"
                + "and %s <= :most\n".formatted(MEMBERS_TO_FILL)
                + EARLIEST_FIRST
                + "\nlimit 1\nfor no key update of period skip locked")
        .param("without", without)
        .param("most", most)
        .param("now", clock.instant())
        .query(PeriodId.class)
        .optional();
  }

  /** Returns with how many members the period may have to be filled; 0 if it is filled. */
  public long membersToFill(PeriodId period) {
    return jdbc.sql("select %s from period where id = :id".formatted(MEMBERS_TO_FILL))
        .param("id", period)
        .query(Long.class)
        .single();
  }

  /**
   * Finds periods that {@code close --due} should close, earliest first. Unlike {@link #due}, it
   * includes failed ones at once.
   */
  public List<PeriodId> dueOnDemand() {
    return dueOnDemand("false");
  }

  /**
   * As {@link #dueOnDemand}, but includes those of an import without a recent heartbeat. It was
   * killed, or only stalls; what it has not read yet is late once they are closed.
   */
  public List<PeriodId> dueWithStoppedImports() {
    return dueOnDemand("import_run.heartbeat_at <= :now - interval '10 seconds'");
  }

  private List<PeriodId> dueOnDemand(String isStopped) {
    return ids(
        """
        select period.id from period
        left join import_run on import_run.id = period.opened_by_import
        where settled_at is null
          and closes_at <= :now
          and (import_run.id is null or import_run.ended_at is not null or %s)
        """
                .formatted(isStopped)
            + NEEDS_NO_PERSON
            + EARLIEST_FIRST);
  }

  /**
   * What became of the periods that were due at a time.
   *
   * @param settled those that were settled since
   * @param left those that can be closed without a person, and are not
   * @param last when the last one was settled; null if none was
   */
  public record DueSince(long settled, long left, @Nullable Instant last) {}

  public DueSince dueSince(Instant time) {
    return jdbc.sql(
            """
            select
              count(settled_at) as settled,
              count(*) - count(settled_at) as left,
              max(settled_at) as last
            from period
            left join import_run on import_run.id = period.opened_by_import
            where closes_at <= :time
              and (settled_at is null or settled_at >= :time)
              and (import_run.id is null or import_run.ended_at is not null)
            """
                + NEEDS_NO_PERSON)
        .param("time", time)
        .param("now", clock.instant())
        .query(DueSince.class)
        .single();
  }

  /**
   * Counts due periods that are not closed because their import has not ended.
   *
   * @param running those of an import with a recent heartbeat
   * @param stopped the others
   */
  public record DueInImports(long running, long stopped) {}

  /**
   * Counts the due periods whose import has not ended.
   *
   * @param without periods that are closed nevertheless
   */
  public DueInImports countDueInImports(Collection<PeriodId> without) {
    return jdbc.sql(
            """
            select
              count(*) filter (where heartbeat_at > :now - interval '10 seconds') as running,
              count(*) filter (where heartbeat_at <= :now - interval '10 seconds') as stopped
            from period
            join import_run on import_run.id = period.opened_by_import
            where settled_at is null
              and closes_at <= :now
              and import_run.ended_at is null
              and period.id <> all(:without)
            """)
        .param("without", without)
        .param("now", clock.instant())
        .query(DueInImports.class)
        .single();
  }

  /** Counts the periods that are due on paused boards, by board. */
  public Map<BoardId, Long> countDueOnPausedBoards() {
    return jdbc.sql(
            """
            select board, count(*) as periods from period
            join board_pause using (board)
            where settled_at is null and closes_at <= :now
            group by board
            order by board
            """)
        .param("now", clock.instant())
        .query(RecordMapper.map(BoardId.class, Long.class));
  }

  /**
   * Checks that the period's board is not paused.
   *
   * @throws WrongState if it is
   */
  public void requireNotPaused(Period period) {
    pauses.requireNone(period.board());
  }

  /** What keeps a closing from starting. */
  private record Obstacles(boolean isPaused, boolean isFilled) {}

  /**
   * Checks that the period's board is not paused, and that no import fills the period: what it adds
   * after the seal would be late.
   *
   * @throws WrongState if one of both is so
   */
  public void requireClosable(Period period) {
    Obstacles obstacles = obstacles(period);
    if (obstacles.isPaused()) {
      requireNotPaused(period);
    }
    requireNotFilled(period, obstacles);
  }

  /**
   * Checks that no import fills the period, in a closing that has begun: one may have started
   * since.
   *
   * @throws WrongState if one does
   */
  public void requireNotFilled(Period period) {
    requireNotFilled(period, obstacles(period));
  }

  private Obstacles obstacles(Period period) {
    return jdbc.sql(
            """
            select
              exists (select from board_pause where board = :board) as is_paused,
              exists (
                select from period
                join import_run on import_run.id = period.opened_by_import
                where period.id = :id
                  and state = 'open'
                  and ended_at is null
                  and heartbeat_at > :now - interval '10 seconds') as is_filled
            """)
        .param("board", period.board())
        .param("id", period.id())
        .param("now", clock.instant())
        .query(Obstacles.class)
        .single();
  }

  private static void requireNotFilled(Period period, Obstacles obstacles) {
    if (obstacles.isFilled()) {
      throw new WrongState(new PeriodSentences.BeingImported(period.label()));
    }
  }

  /**
   * Checks that the end and grace of the period have passed.
   *
   * @throws WrongState if not, or if it never closes
   */
  public void requireOver(Period period) {
    Instant closes = period.closesAt();
    if (closes == null) {
      throw new WrongState(new PeriodSentences.NeverCloses(period.label()));
    }
    if (clock.instant().isBefore(closes)) {
      throw new WrongState(
          new PeriodSentences.NotDue(period.label(), closes.atZone(ZoneOffset.UTC)));
    }
  }

  /**
   * Finds settled periods past their retention, without a pending amendment. Leaves out those whose
   * retry is not due yet. Those with the fewest failures come first.
   */
  public List<PeriodId> expirable() {
    return ids(
        """
        select id from expirable
        where expires_at <= :now and (expiry_retry_at is null or expiry_retry_at <= :now)
        order by expiry_failures, expires_at, id
        """);
  }

  /** Finds periods as {@link #expirable} does, but includes failed ones at once. */
  public List<PeriodId> expirableOnDemand() {
    return ids("select id from expirable where expires_at <= :now order by expires_at, id");
  }

  public boolean isExpirable(PeriodId period) {
    return jdbc.sql("select exists (select from expirable where id = :id and expires_at <= :now)")
        .param("id", period)
        .param("now", clock.instant())
        .query(Boolean.class)
        .single();
  }

  private List<PeriodId> ids(String sql) {
    return jdbc.sql(sql).param("now", clock.instant()).query(PeriodId.class).list();
  }

  /**
   * Finds the first time at which a period that is not settled is or becomes due. If that is in the
   * future, nothing is due, which costs less to know than {@link #lockNextDue}.
   */
  public Optional<Instant> firstClose() {
    return jdbc.sql("select min(closes_at) from period where settled_at is null")
        .query(Instant.class)
        .optional();
  }

  /** Finds the next time at which a period becomes due. */
  public Optional<Instant> nextClose() {
    return jdbc.sql(
            """
            select min(closes_at) from period
            where settled_at is null and closes_at > :now
            """)
        .param("now", clock.instant())
        .query(Instant.class)
        .optional();
  }

  /** Finds the next time at which a period of the board becomes due. */
  public Optional<Instant> nextClose(Board board) {
    return jdbc.sql(
            """
            select min(closes_at) from period
            where board = :board and settled_at is null and closes_at > :now
            """)
        .param("board", board.id())
        .param("now", clock.instant())
        .query(Instant.class)
        .optional();
  }

  /**
   * Records that a closing failed, and schedules the next attempt; the delay doubles each time.
   * Does nothing if the lease is lost or the period is settled.
   *
   * @param repair the rebuild that may help; null if none does
   * @return the next attempt; empty if nothing was recorded
   */
  @Transactional
  public Optional<Retry> recordFailure(Lease lease, Sentence failure, @Nullable Repair repair) {
    return jdbc.sql(
            """
            update period
            set
              failures = failures + 1,
              failure = :failure::jsonb,
              repair = :repair,
              retry_at = :now + least(
                :first::interval * power(2, least(failures, 20)), :last::interval)
            where id = :id and fence = :fence and not is_settled(state)
            returning failures, retry_at as at
            """)
        .param("failure", Said.toJson(failure))
        .param("repair", repair)
        .param("now", clock.instant())
        .param("first", FIRST_RETRY_DELAY.toString())
        .param("last", MAX_RETRY_DELAY.toString())
        .param("id", lease.period())
        .param("fence", lease.fence())
        .query(Retry.class)
        .optional();
  }

  /**
   * The next attempt to close a period that failed.
   *
   * @param failures how many closings of the period have failed
   */
  public record Retry(int failures, Instant at) {}

  /**
   * Records that an expiry failed, and schedules the next attempt; the delay doubles each time.
   * Does nothing if the lease is lost.
   *
   * @return the time of the next attempt; empty if the lease is lost
   */
  @Transactional
  public Optional<Instant> recordExpiryFailure(Lease lease, String failure) {
    return jdbc.sql(
            """
            update period
            set
              expiry_failures = expiry_failures + 1,
              expiry_failure = :failure,
              expiry_retry_at = :now + least(
                :first::interval * power(2, least(expiry_failures, 20)), :last::interval)
            where id = :id and fence = :fence and state = 'settled'
            returning expiry_retry_at
            """)
        .param("failure", failure)
        .param("now", clock.instant())
        .param("first", FIRST_RETRY_DELAY.toString())
        .param("last", MAX_EXPIRY_RETRY_DELAY.toString())
        .param("id", lease.period())
        .param("fence", lease.fence())
        .query(Instant.class)
        .optional();
  }
}
