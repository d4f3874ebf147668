package palmares.live.board;

import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.stereotype.Component;

/** Commands and scripts, sent without waiting for one another and answered in order. */
@Component
class RedisClient {
  private final RedisConnectionFactory connections;
  private final Duration answerTimeout;

  RedisClient(RedisConnectionFactory connections, LiveSettings settings) {
    this.connections = connections;
    this.answerTimeout = settings.answerTimeout();
  }

  /**
   * Runs the script once for each call; sends its text where the server has lost it. Calls of one
   * board are run in their order: the first of several brings the text along, for a server that has
   * lost it may get it from somebody else meanwhile, and would then run the others before it.
   */
  List<List<byte[]>> run(LuaScript script, List<ScriptCall> calls) {
    var boards = calls.stream().map(ScriptCall::board).toList();
    Set<String> several = new HashSet<>();
    Set<String> met = new HashSet<>();
    boards.stream().filter(board -> !met.add(board)).forEach(several::add);
    return with(
        commands -> {
          var sent = new ArrayList<RedisFuture<List<byte[]>>>(calls.size());
          for (int i = 0; i < calls.size(); i++) {
            sent.add(
                several.remove(boards.get(i))
                    ? eval(commands, script, calls.get(i))
                    : evalsha(commands, script, calls.get(i)));
          }
          var answers = new ArrayList<List<byte[]>>(calls.size());
          for (int i = 0; i < sent.size(); i++) {
            answers.add(answer(commands, script, calls.get(i), sent.get(i)));
          }
          return answers;
        });
  }

  List<byte[]> run(LuaScript script, ScriptCall call) {
    return run(script, List.of(call)).get(0);
  }

  /** Runs the script once, without waiting for its answer: {@link #await} does. */
  CompletableFuture<List<byte[]>> send(LuaScript script, ScriptCall call) {
    try {
      return with(commands -> evalsha(commands, script, call))
          .exceptionallyCompose(
              failure ->
                  failure instanceof RedisNoScriptException
                      ? with(commands -> eval(commands, script, call))
                      : CompletableFuture.failedStage(failure))
          .toCompletableFuture();
    } catch (LiveUnavailable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static RedisFuture<List<byte[]>> evalsha(
      RedisClusterAsyncCommands<byte[], byte[]> commands, LuaScript script, ScriptCall call) {
    return commands.evalsha(script.digest(), ScriptOutputType.MULTI, call.keys(), call.arguments());
  }

  private static RedisFuture<List<byte[]>> eval(
      RedisClusterAsyncCommands<byte[], byte[]> commands, LuaScript script, ScriptCall call) {
    return commands.eval(script.text(), ScriptOutputType.MULTI, call.keys(), call.arguments());
  }

  private List<byte[]> answer(
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      LuaScript script,
      ScriptCall call,
      RedisFuture<List<byte[]>> sent) {
    try {
      return await(sent);
    } catch (RedisNoScriptException forgotten) {
      return await(eval(commands, script, call));
    }
  }

  /** One command, and its answer. */
  <T> T command(Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    return with(commands -> await(command.apply(commands)));
  }

  /** One command for each, all sent at once, and their answers in the same order. */
  <S, T> List<T> each(
      List<S> subjects,
      BiFunction<RedisClusterAsyncCommands<byte[], byte[]>, S, RedisFuture<T>> command) {
    return with(
        commands -> {
          var sent = subjects.stream().map(subject -> command.apply(commands, subject)).toList();
          return sent.stream().map(this::await).toList();
        });
  }

  /** The sum of a figure of INFO over the server, or over every server of the cluster. */
  long figure(String section, String name) {
    try (RedisConnection connection = connections.getConnection()) {
      Properties says = connection.serverCommands().info(section);
      // A cluster's answers come in one, with the node before each name and a dot between them.
      return Objects.requireNonNull(says).stringPropertyNames().stream()
          .filter(found -> found.equals(name) || found.endsWith("." + name))
          .mapToLong(found -> Long.parseLong(says.getProperty(found)))
          .sum();
    } catch (RedisException | DataAccessException e) {
      throw new LiveUnavailable(e);
    }
  }

  @SuppressWarnings("unchecked")
  private <T> T with(Function<RedisClusterAsyncCommands<byte[], byte[]>, T> work) {
    try (RedisConnection connection = connections.getConnection()) {
      return work.apply(
          (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection());
    } catch (RedisException | DataAccessException e) {
      throw new LiveUnavailable(e);
    }
  }

  /** The answer; whoever has waited for too long gives it up. */
  <T> T await(CompletableFuture<T> answer) {
    try {
      return await((Future<T>) answer);
    } catch (RedisException e) {
      answer.cancel(false);
      throw e.getCause() instanceof LiveUnavailable known ? known : new LiveUnavailable(e);
    }
  }

  private <T> T await(Future<T> future) {
    try {
      return future.get(answerTimeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RedisException cause ? cause : new RedisException(e.getCause());
    } catch (TimeoutException e) {
      throw new RedisException("no answer within " + answerTimeout.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisException("interrupted while waiting for an answer", e);
    }
  }
}
