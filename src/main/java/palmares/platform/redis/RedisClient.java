package palmares.platform.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.AbstractRedisAsyncCommands;
import io.lettuce.core.Delegating;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.protocol.DefaultEndpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;
import palmares.platform.redis.RedisUnavailable.Reason;
import palmares.platform.text.Setting;

/**
 * Sends commands and Lua scripts to Redis. Several are pipelined: all are sent before the first
 * answer is awaited.
 *
 * <p>Each method throws {@link RedisUnavailable} if Redis does not answer in time or refuses.
 */
@Component
@EnableConfigurationProperties(RedisClient.Settings.class)
public class RedisClient {
  private static final LuaScript APPEND = LuaScript.read(RedisClient.class, "append_entries.lua");

  private static final LuaScript PROBE = LuaScript.read(RedisClient.class, "probe.lua");

  /** Hash tags that are tried until each master of a cluster has one. */
  private static final int MAX_PROBE_TAGS = 100_000;

  /** The least time between two attempts to reach the master in place of a replica. */
  private static final Duration RECONNECT_INTERVAL = Duration.ofSeconds(2);

  private final RedisConnectionFactory connections;
  private final Duration answerTimeout;
  private final AtomicLong reconnectedAtNanos =
      new AtomicLong(System.nanoTime() - RECONNECT_INTERVAL.toNanos());
  private volatile long answeredAtNanos = System.nanoTime();

  public RedisClient(RedisConnectionFactory connections, Settings settings) {
    this.connections = connections;
    this.answerTimeout = settings.answerTimeout();
  }

  /**
   * Settings of the Redis client.
   *
   * @param answerTimeout how long a command may take; after that its effect is unknown
   */
  @ConfigurationProperties("palmares.live")
  public record Settings(@DefaultValue("10s") Duration answerTimeout) {
    public Settings {
      new Setting("palmares.live.answer-timeout")
          .requireAtLeast(Duration.ofMillis(1), answerTimeout);
    }
  }

  /**
   * Runs the script once for each call, and returns the answers in the order of the calls. Calls
   * with the same first key run in their order.
   */
  public List<List<byte[]>> run(LuaScript script, List<ScriptCall> calls) {
    var firstKeys = calls.stream().map(ScriptCall::firstKey).toList();
    // Where several calls share a first key, the first of them carries the script's text. If Redis
    // has lost the script and another client loads it meanwhile, later calls would overtake it.
    Set<String> repeatedKeys = new HashSet<>();
    Set<String> seenKeys = new HashSet<>();
    firstKeys.stream().filter(key -> !seenKeys.add(key)).forEach(repeatedKeys::add);
    return with(
        commands -> {
          var sent = new ArrayList<RedisFuture<List<byte[]>>>(calls.size());
          for (int i = 0; i < calls.size(); i++) {
            sent.add(
                repeatedKeys.remove(firstKeys.get(i))
                    ? eval(commands, script, calls.get(i))
                    : evalsha(commands, script, calls.get(i)));
          }
          return awaitAll(sent, i -> answer(commands, script, calls.get(i), sent.get(i)));
        });
  }

  public List<byte[]> run(LuaScript script, ScriptCall call) {
    return run(script, List.of(call)).get(0);
  }

  /**
   * What Redis has answered to several calls.
   *
   * @param each in the order of the calls; empty if there was no answer
   * @param failure why; empty if each call was answered
   */
  public record Answers<T>(List<Optional<T>> each, Optional<RedisUnavailable> failure) {
    /**
     * @throws RedisUnavailable if a call was not answered
     */
    public void requireAll() {
      failure.ifPresent(
          e -> {
            throw e;
          });
    }
  }

  /**
   * Runs the script once for each call; if a node of a cluster does not answer, the other calls
   * have their answers.
   *
   * @throws RedisUnavailable if no call was answered
   */
  public Answers<List<byte[]>> runEach(LuaScript script, List<ScriptCall> calls) {
    return answers(calls.stream().map(call -> send(script, call)).toList());
  }

  /**
   * Sends one command for each subject, as {@link #runEach} runs a script.
   *
   * @throws RedisUnavailable if no command was answered
   */
  public <S, T> Answers<T> reach(
      List<S> subjects,
      BiFunction<RedisClusterAsyncCommands<byte[], byte[]>, S, RedisFuture<T>> command) {
    return answers(
        with(
            commands ->
                subjects.stream()
                    .map(subject -> command.apply(commands, subject).toCompletableFuture())
                    .toList()));
  }

  private <T> Answers<T> answers(List<CompletableFuture<T>> sent) {
    long sentAtNanos = System.nanoTime();
    var each = new ArrayList<Optional<T>>();
    Optional<RedisUnavailable> failure = Optional.empty();
    for (CompletableFuture<T> answer : sent) {
      try {
        each.add(Optional.of(await(answer, sentAtNanos)));
      } catch (RedisUnavailable e) {
        failure = Optional.of(e);
        each.add(Optional.empty());
      }
    }
    if (failure.isPresent() && each.stream().allMatch(Optional::isEmpty)) {
      throw failure.get();
    }
    return new Answers<>(each, failure);
  }

  /** Runs the script once and returns at once; pass the result to {@link #await}. */
  public CompletableFuture<List<byte[]>> send(LuaScript script, ScriptCall call) {
    try {
      return with(commands -> evalsha(commands, script, call))
          .exceptionallyCompose(
              failure ->
                  failure instanceof RedisNoScriptException
                      ? with(commands -> eval(commands, script, call))
                      : CompletableFuture.failedStage(failure))
          .toCompletableFuture();
    } catch (RedisUnavailable e) {
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

  public <T> T command(
      Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    return with(
        commands -> {
          RedisFuture<T> sent = command.apply(commands);
          return awaitAll(List.of(sent), i -> await(sent)).get(0);
        });
  }

  /** Sends one command for each subject, and returns the answers in the same order. */
  public <S, T> List<T> each(
      List<S> subjects,
      BiFunction<RedisClusterAsyncCommands<byte[], byte[]>, S, RedisFuture<T>> command) {
    return with(
        commands -> {
          var sent = subjects.stream().map(subject -> command.apply(commands, subject)).toList();
          return awaitAll(sent, i -> await(sent.get(i)));
        });
  }

  /**
   * Gives all up if one is not answered: those behind it would be sent again without it by the next
   * connection.
   */
  private static <T> List<T> awaitAll(List<? extends Future<?>> sent, IntFunction<T> answer) {
    try {
      return IntStream.range(0, sent.size()).mapToObj(answer).toList();
    } catch (RedisException e) {
      sent.forEach(each -> each.cancel(false));
      throw e;
    }
  }

  public void ping() {
    command(commands -> commands.ping());
  }

  /** Removes a key; its memory is freed in the background. */
  public void remove(String key) {
    command(commands -> commands.unlink(key.getBytes(UTF_8)));
  }

  /**
   * Runs each command that a script of Palmares runs, on keys that exist only meanwhile.
   *
   * @throws RedisUnavailable if Redis would not run one of them in a script
   */
  public void probe() {
    run(PROBE, probe(1));
  }

  private static ScriptCall probe(int tag) {
    String key = probeKey(tag);
    return ScriptCall.on(key.getBytes(UTF_8), (key + ":renamed").getBytes(UTF_8));
  }

  private static String probeKey(int tag) {
    return "palmares:probe:{" + tag + "}";
  }

  /**
   * Reports whether a server of Redis can be used.
   *
   * @param node the address of a master of a cluster; empty for the only server, and for a cluster
   *     of which no node can be reached
   */
  public record ProbedMaster(String node, Optional<RedisUnavailable> failure) {}

  /**
   * Probes all masters of a cluster at the same time, or the only server, as {@link #probe} does.
   *
   * @param maxWait how long to wait for the answers; a server that is slower cannot be used
   */
  public List<ProbedMaster> probeMasters(Duration maxWait) {
    try {
      var calls = new ArrayList<ProbedCall>();
      probes()
          .forEach(
              (node, call) ->
                  calls.add(
                      new ProbedCall(
                          node,
                          send(PROBE, call).orTimeout(maxWait.toMillis(), TimeUnit.MILLISECONDS))));
      return calls.stream()
          .map(call -> new ProbedMaster(call.node(), failure(call.answer())))
          .toList();
    } catch (RedisUnavailable e) {
      return List.of(new ProbedMaster("", Optional.of(e)));
    }
  }

  private record ProbedCall(String node, CompletableFuture<List<byte[]>> answer) {}

  private Optional<RedisUnavailable> failure(CompletableFuture<List<byte[]>> answer) {
    try {
      await(answer);
      return Optional.empty();
    } catch (RedisUnavailable e) {
      return Optional.of(e);
    }
  }

  /** Returns a call for each master that has slots, by its address. */
  private Map<String, ScriptCall> probes() {
    Optional<Partitions> known = partitions();
    if (known.isEmpty()) {
      return Map.of("", probe(1));
    }
    Partitions partitions = known.get();
    long masters =
        partitions.stream()
            .filter(node -> node.getRole().isUpstream() && !node.hasNoSlots())
            .count();
    var probes = new TreeMap<String, ScriptCall>();
    for (int tag = 1; probes.size() < masters && tag <= MAX_PROBE_TAGS; tag++) {
      ScriptCall call = probe(tag);
      master(partitions, call.firstKey()).ifPresent(node -> probes.putIfAbsent(node, call));
    }
    // Of a cluster without slots no master is known, which must not look as if all answered.
    return probes.isEmpty() ? Map.of("", probe(1)) : probes;
  }

  /**
   * Returns the address of the master of a cluster that has a key; empty if there is no cluster.
   */
  public Optional<String> master(byte[] key) {
    return partitions().flatMap(partitions -> master(partitions, new String(key, UTF_8)));
  }

  private static Optional<String> master(Partitions partitions, String key) {
    return Optional.ofNullable(partitions.getPartitionBySlot(SlotHash.getSlot(key)))
        .map(node -> node.getUri().getHost() + ":" + node.getUri().getPort());
  }

  /** The nodes of the cluster as this client knows them; empty if it uses a single server. */
  private Optional<Partitions> partitions() {
    try {
      return connections instanceof LettuceConnectionFactory lettuce
              && lettuce.getRequiredNativeClient() instanceof RedisClusterClient cluster
          ? Optional.of(cluster.getPartitions())
          : Optional.empty();
    } catch (RedisException e) {
      throw unavailable(e);
    }
  }

  /**
   * Appends entries to a stream in this order, by one script, so that no other entry comes between
   * them. If it throws, the first of them may have been appended, and none behind a missing one.
   *
   * @param maxLength about how many entries the stream keeps
   */
  public void append(String stream, long maxLength, List<Map<String, String>> entries) {
    var arguments = new ArrayList<String>();
    arguments.add(Long.toString(maxLength));
    for (Map<String, String> entry : entries) {
      arguments.add(Integer.toString(2 * entry.size()));
      entry.forEach(
          (field, value) -> {
            arguments.add(field);
            arguments.add(value);
          });
    }
    run(
        APPEND,
        new ScriptCall(
            ScriptCall.arguments(stream), ScriptCall.arguments(arguments.toArray(String[]::new))));
  }

  /** Reads a number of INFO: the server's, or the sum over all servers of a cluster. */
  public long info(String section, String name) {
    try (RedisConnection connection = connections.getConnection()) {
      Properties info = connection.serverCommands().info(section);
      // A cluster answers with the values of all nodes, each name prefixed by its node and a dot.
      return Objects.requireNonNull(info).stringPropertyNames().stream()
          .filter(found -> found.equals(name) || found.endsWith("." + name))
          .mapToLong(found -> Long.parseLong(info.getProperty(found)))
          .sum();
    } catch (RedisException | DataAccessException e) {
      throw unavailable(e);
    }
  }

  @SuppressWarnings("unchecked")
  private <T> T with(Function<RedisClusterAsyncCommands<byte[], byte[]>, T> work) {
    try (RedisConnection connection = connections.getConnection()) {
      return work.apply(
          (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection());
    } catch (RedisException | DataAccessException e) {
      throw unavailable(e);
    }
  }

  /** Whether this client uses a cluster. */
  public boolean isCluster() {
    return connections instanceof LettuceConnectionFactory lettuce && lettuce.isClusterAware();
  }

  private RedisUnavailable unavailable(Exception failure) {
    var unavailable = new RedisUnavailable(failure, isCluster());
    if (unavailable.reason() == Reason.REPLICA && !isCluster()) {
      reconnect();
    } else if (failure instanceof NoAnswer || failure instanceof RedisCommandTimeoutException) {
      dropSilentConnection();
    }
    return unavailable;
  }

  /**
   * Lets Redis close the connection, so that the client looks up the address again: a master that
   * was demoted keeps its connections. The client sends unanswered commands again.
   */
  private void reconnect() {
    if (mayReconnect()) {
      with(RedisClusterAsyncCommands::quit);
    }
  }

  private boolean mayReconnect() {
    long now = System.nanoTime();
    long last = reconnectedAtNanos.get();
    return now - last >= RECONNECT_INTERVAL.toNanos()
        && reconnectedAtNanos.compareAndSet(last, now);
  }

  /**
   * Closes the connection if Redis has answered nothing on it for as long as a command may take, so
   * that the client looks up the address again. The machine of a master that hangs, or is gone,
   * closes none, and another one may have its place. The client connects in the background, so that
   * no caller waits for longer than for an answer. A cluster's client finds another master itself.
   */
  private void dropSilentConnection() {
    if (System.nanoTime() - answeredAtNanos >= answerTimeout.toNanos()
        && !isCluster()
        && mayReconnect()) {
      answeredAtNanos = System.nanoTime(); // the next connection has as long
      with(
          commands -> {
            disconnect(commands);
            return commands;
          });
    }
  }

  private static void disconnect(RedisClusterAsyncCommands<byte[], byte[]> commands) {
    if (commands instanceof AbstractRedisAsyncCommands<byte[], byte[]> single
        && single.getConnection() instanceof RedisChannelHandler<?, ?> connection) {
      Object writer = connection.getChannelWriter();
      while (writer instanceof Delegating<?> around) {
        writer = around.getDelegate();
      }
      if (writer instanceof DefaultEndpoint endpoint) {
        endpoint.disconnect();
      }
    }
  }

  /** Returns the answer; cancels it if it takes longer than the answer timeout. */
  public <T> T await(CompletableFuture<T> answer) {
    return await(answer, System.nanoTime());
  }

  private <T> T await(CompletableFuture<T> answer, long sentAtNanos) {
    try {
      return await((Future<T>) answer, sentAtNanos);
    } catch (RedisException e) {
      answer.cancel(false);
      throw e.getCause() instanceof RedisUnavailable known ? known : unavailable(e);
    }
  }

  private <T> T await(Future<T> future) {
    return await(future, System.nanoTime());
  }

  private <T> T await(Future<T> future, long sentAtNanos) {
    try {
      long waited = System.nanoTime() - sentAtNanos;
      T answer = future.get(Math.max(answerTimeout.toNanos() - waited, 0), TimeUnit.NANOSECONDS);
      answeredAtNanos = System.nanoTime();
      return answer;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RedisCommandExecutionException) {
        answeredAtNanos = System.nanoTime(); // a refusal is an answer
      }
      throw e.getCause() instanceof RedisException cause ? cause : new RedisException(e.getCause());
    } catch (TimeoutException e) {
      throw new NoAnswer(answerTimeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisException("interrupted while waiting for an answer", e);
    }
  }

  /** Redis has not answered in time; a client has the timeout {@code spring.data.redis}, too. */
  private static final class NoAnswer extends RedisException {
    NoAnswer(Duration timeout, TimeoutException cause) {
      super("no answer within " + timeout.toMillis() + " ms", cause);
    }
  }
}
