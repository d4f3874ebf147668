package palmares.live.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import palmares.period.Period;
import palmares.platform.redis.RedisClient;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.Board;
import palmares.testing.Rules;
import palmares.testing.World;
import palmares.testing.WorldTest;

/**
 * A call that fails unexpectedly fails its own events only; later events of the board are taken.
 */
@WorldTest
class SharedCallsTest {
  @Autowired private World world;
  @Autowired private LiveBoards live;
  @Autowired private LiveBoardCreation starts;
  @Autowired private RedisClient.Settings settings;
  @Autowired private ApplyCalls calls;
  @Autowired private RedisConnectionFactory connections;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @ParameterizedTest
  @ValueSource(
      classes = {
        NullPointerException.class,
        IllegalStateException.class,
        StackOverflowError.class,
        Error.class
      })
  void aCallThatFailsUnexpectedlyDoesNotKeepItsBoardBusy(Class<? extends Throwable> kind)
      throws Exception {
    Board board = world.board(Rules.day());
    Period day = world.open(board);
    assertThat(live.exists(day) || starts.start(day, board)).isTrue();
    var shared = new SharedCalls(new RedisClient(failingOnce(), settings), calls);
    failure.set(kind.getDeclaredConstructor().newInstance());
    assertThatThrownBy(() -> shared.apply(coin(day, board, "first")))
        .isInstanceOf(RedisUnavailable.class)
        .hasRootCauseInstanceOf(kind);
    assertThat(shared.apply(coin(day, board, "first")).verdict()).isEqualTo(Verdict.APPLIED);
    assertThat(shared.apply(coin(day, board, "second")).verdict()).isEqualTo(Verdict.APPLIED);
  }

  private static BoardChange coin(Period period, Board board, String id) {
    var entry =
        new LiveEntry(1, id, "ann", "coin", null, Verdict.APPLIED, 1, 1, null, 0, "", World.START);
    return BoardChange.again(LiveKeys.of(period), entry, board);
  }

  /** Returns the application's connections, which fail once with the failure that a test sets. */
  private RedisConnectionFactory failingOnce() {
    return (RedisConnectionFactory)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RedisConnectionFactory.class},
            (proxy, method, arguments) -> {
              Throwable set = failure.getAndSet(null);
              if (set != null) {
                throw set;
              }
              try {
                return method.invoke(connections, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
