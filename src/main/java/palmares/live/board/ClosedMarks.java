package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.KeyValue;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.period.Periods;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;
import palmares.rules.board.Board;

/**
 * Marks on live boards how far their closing is: sealed, paying, which may have been committed, or
 * settled. If PostgreSQL comes back in an earlier state, the marks of Redis show it. A seal that it
 * has forgotten is made again if nothing was paying.
 */
@Component
public class ClosedMarks {
  private static final byte[] FIELD = "closed".getBytes(UTF_8);
  private static final String PAYING = "paying";
  private static final byte[] PERIOD = "period".getBytes(UTF_8);
  private static final byte[] PAYMENT = "payment".getBytes(UTF_8);

  private final RedisClient redis;
  private final BoardDefinitions definitions;
  private final Periods periods;
  private final JdbcClient jdbc;

  ClosedMarks(RedisClient redis, BoardDefinitions definitions, Periods periods, JdbcClient jdbc) {
    this.redis = redis;
    this.definitions = definitions;
    this.periods = periods;
    this.jdbc = jdbc;
  }

  /** The hash of the period's live board; of an adopted board, that of its seal. */
  private byte[] key(Period period) {
    Board board = definitions.of(period);
    return board
        .kind()
        .map(
            () -> LiveKeys.of(period).meta(),
            adoption -> AdoptedKeys.bytes(AdoptedKeys.of(period, board).mark()));
  }

  /** Marks the period's live board, if there is one. Call it after the state is committed. */
  public void mark(Period period, PeriodState state) {
    redis.run(LiveScripts.MARK_CLOSED, call(period, state.word()));
  }

  /** As {@link #mark}, with the transaction of a payment; call it before that is committed. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void markPaying(Period period) {
    String payment =
        jdbc.sql("select wal_history() || ' ' || pg_current_xact_id()")
            .query(String.class)
            .single();
    redis.run(
        LiveScripts.MARK_CLOSED, ScriptCall.on(key(period)).with(PAYING, period.label(), payment));
  }

  /**
   * Whether PostgreSQL knows that the transaction of a payment was rolled back. It does not if it
   * went back to an earlier state, or is a copy: there, a transaction that was committed may be
   * incomplete or unknown, or another one may have its number.
   */
  private boolean isRolledBack(String payment) {
    return jdbc.sql(
            """
            select coalesce(
              nullif(wal_history(), '') = split_part(:payment, ' ', 1)
                and case when id < pg_snapshot_xmax(pg_current_snapshot()) then
                  pg_xact_status(id) = 'aborted' end,
              false)
            from (select nullif(split_part(:payment, ' ', 2), '')::xid8 as id) payment
            """)
        .param("payment", payment)
        .query(Boolean.class)
        .single();
  }

  private ScriptCall call(Period period, String word) {
    return ScriptCall.on(key(period)).with(word, period.label());
  }

  /** Removes the mark of a period that goes on by a person's consent. */
  public void remove(Period period) {
    redis.command(commands -> commands.hdel(key(period), FIELD));
  }

  /** Marks the live boards of settled periods again, whose marks an outage may have prevented. */
  public void markSettled(List<Period> settled) {
    redis
        .runEach(
            LiveScripts.MARK_CLOSED,
            settled.stream().map(period -> call(period, PeriodState.SETTLED.word())).toList())
        .requireAll();
  }

  /**
   * Returns the state that PostgreSQL had committed and has forgotten, and after which it may have
   * paid; empty if there is none. A payment whose end PostgreSQL does not know may be forgotten.
   */
  public Optional<PeriodState> forgotten(Period period) {
    List<KeyValue<byte[], byte[]>> held =
        redis.command(commands -> commands.hmget(key(period), FIELD, PERIOD, PAYMENT));
    // The key of an adopted board may be that of a former period.
    boolean isOther =
        held.get(1).hasValue() && !LiveBoards.text(held.get(1).getValue()).equals(period.label());
    if (isOther || !held.get(0).hasValue()) {
      return Optional.empty();
    }
    String mark = LiveBoards.text(held.get(0).getValue());
    boolean mayBePaid =
        mark.equals(PAYING)
            && period.state().isSealed()
            && !isRolledBack(LiveBoards.text(held.get(2).getValueOrElse(new byte[0])));
    return (mayBePaid ? Optional.of(PeriodState.SETTLED) : reached(mark))
        .filter(state -> isForgotten(period, state));
  }

  /** The state that a period with this mark had, if it may have been paid. */
  static Optional<PeriodState> reached(String mark) {
    return switch (mark) {
      case PAYING -> Optional.of(PeriodState.SEALED);
      case "settled" -> Optional.of(PeriodState.SETTLED);
      default -> Optional.empty();
    };
  }

  /** Whether a period has not reached the state that its live board is marked with. */
  public static boolean isForgotten(Period period, @Nullable PeriodState mark) {
    return mark != null
        && (mark.isSettled() ? !period.state().isSettled() : !period.state().isSealed());
  }

  /**
   * Requires that PostgreSQL has not forgotten a state of the period. Its row is read after the
   * mark, because another process may have closed it while this one hung.
   *
   * @throws ClosingForgotten if it has
   */
  public void requireNoneForgotten(Period period) {
    forgotten(period)
        .filter(state -> isForgotten(periods.get(period.id()), state))
        .ifPresent(
            state -> {
              throw new ClosingForgotten(period, state.word());
            });
  }
}
