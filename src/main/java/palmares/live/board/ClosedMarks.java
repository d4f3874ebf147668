package palmares.live.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import palmares.period.Period;
import palmares.period.PeriodState;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.ScriptCall;

/**
 * Marks on live boards how far PostgreSQL has committed their closing: sealed or settled. If
 * PostgreSQL comes back in an earlier state, the marks of Redis show it.
 */
@Component
public class ClosedMarks {
  private static final byte[] FIELD = "closed".getBytes(UTF_8);

  private final RedisClient redis;

  ClosedMarks(RedisClient redis) {
    this.redis = redis;
  }

  /** Marks the period's live board, if there is one. Call it after the state is committed. */
  public void mark(Period period, PeriodState state) {
    redis.run(
        LiveScripts.MARK_CLOSED, ScriptCall.on(LiveKeys.of(period).meta()).with(state.word()));
  }

  /** Marks the live boards of settled periods again, whose marks an outage may have prevented. */
  public void markSettled(List<Period> settled) {
    redis.run(
        LiveScripts.MARK_CLOSED,
        settled.stream()
            .map(
                period ->
                    ScriptCall.on(LiveKeys.of(period).meta()).with(PeriodState.SETTLED.word()))
            .toList());
  }

  /** Returns the state that PostgreSQL had committed and has forgotten; empty if there is none. */
  public Optional<PeriodState> forgotten(Period period) {
    byte @Nullable [] mark =
        redis.command(commands -> commands.hget(LiveKeys.of(period).meta(), FIELD));
    return mark == null
        ? Optional.empty()
        : Optional.of(PeriodState.of(LiveBoards.text(mark)))
            .filter(state -> isForgotten(period, state));
  }

  /** Whether a period has not reached the state that its live board is marked with. */
  public static boolean isForgotten(Period period, @Nullable PeriodState mark) {
    return mark != null
        && (mark.isSettled() ? !period.state().isSettled() : !period.state().isSealed());
  }

  /**
   * Requires that PostgreSQL has not forgotten a state of the period.
   *
   * @throws ClosingForgotten if it has
   */
  public void requireNoneForgotten(Period period) {
    forgotten(period)
        .ifPresent(
            state -> {
              throw new ClosingForgotten(period, state.word());
            });
  }
}
