package palmares.bench.nodes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.WrongResult;
import palmares.live.board.Event;
import palmares.live.journal.Journal;
import palmares.live.journal.JournalGap;
import palmares.period.Period;
import palmares.platform.Refusal;
import palmares.platform.redis.RedisUnavailable;
import palmares.rules.board.BoardId;

/**
 * Kills a master of a cluster while a client writes to each of several boards and their journals
 * are drained. What a client does not get an answer to, it sends again with the same id.
 */
final class Failover {
  /** How long clients write before the master dies, and after its boards are back. */
  static final Duration CALM = Duration.ofSeconds(2);

  private static final Duration EVENT_INTERVAL = Duration.ofMillis(20);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(10);
  private static final Duration DRAIN_INTERVAL = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final BoardWriter writer;
  private final Journal journal;
  private final JdbcClient jdbc;
  private final Map<BoardId, Client> clients = new LinkedHashMap<>();
  private final Set<BoardId> named = Collections.synchronizedSet(new HashSet<>());
  private volatile boolean stopped;

  /**
   * @param periods an open period of each board
   */
  Failover(Beans beans, BoardWriter writer, List<Period> periods) {
    this.writer = writer;
    this.journal = beans.get(Journal.class);
    this.jdbc = beans.get(JdbcClient.class);
    periods.forEach(period -> clients.put(period.board(), new Client(period)));
  }

  /**
   * What happened.
   *
   * @param promotion seconds until the replica was the master
   * @param outage the longest time in which a board of the dead master acknowledged nothing, until
   *     the end of the writes
   * @param notBack boards that take no more events until they are rebuilt, as they lost some
   * @param lost acknowledged events that no journal has
   * @param unnamed those of them on boards of which nothing says that they lost events
   * @param ofMaster acknowledged events by second, of the boards of the dead master; it dies at
   *     {@link #CALM}
   * @param ofOthers likewise, of the other boards
   */
  record Result(
      double promotion,
      double outage,
      long notBack,
      long acknowledged,
      long lost,
      long unnamed,
      List<Long> ofMaster,
      List<Long> ofOthers) {}

  /** Writes to one board. */
  private final class Client {
    private final Period period;

    /** The ids of acknowledged events, by the time of the acknowledgement. */
    private final ConcurrentSkipListMap<Long, String> acknowledged = new ConcurrentSkipListMap<>();

    Client(Period period) {
      this.period = period;
    }

    void run() {
      while (!stopped) {
        Event event = writer.next(period.board());
        while (!stopped && !send(event)) {
          pause(RETRY_INTERVAL);
        }
        pause(EVENT_INTERVAL);
      }
    }

    private boolean send(Event event) {
      try {
        writer.take(List.of(event));
        acknowledged.put(System.nanoTime(), event.id());
        return true;
      } catch (RedisUnavailable | Refusal notNow) {
        return false;
      }
    }

    boolean wrote(long since) {
      return acknowledged.ceilingKey(since) != null;
    }

    Set<String> lost() {
      var lost = new HashSet<>(acknowledged.values());
      jdbc.sql("select id from event where period_id = :id")
          .param("id", period.id().value())
          .query(String.class)
          .list()
          .forEach(lost::remove);
      return lost;
    }
  }

  /** The longest time without an acknowledgement until the end, in nanoseconds. */
  static long longestGap(SortedSet<Long> acknowledged, long end) {
    long longest = 0;
    long before = acknowledged.first();
    for (long at : acknowledged) {
      longest = Math.max(longest, at - before);
      before = at;
    }
    return Math.max(longest, end - before);
  }

  /**
   * Kills a master.
   *
   * @param boards its boards
   * @throws WrongResult if clients cannot write before, if its boards neither come back nor report
   *     that they lost events, or if journals cannot be drained after
   */
  Result run(RedisCluster cluster, int master, Set<BoardId> boards) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(clients.size() + 1);
    var running = new ArrayList<CompletableFuture<Void>>();
    try {
      long begun = System.nanoTime();
      clients
          .values()
          .forEach(client -> running.add(CompletableFuture.runAsync(client::run, threads)));
      running.add(CompletableFuture.runAsync(this::drainUntilStopped, threads));
      pause(CALM);
      await(
          running,
          () -> clients.values().stream().allMatch(client -> client.wrote(begun)),
          "a client wrote no event to its board");
      long killed = System.nanoTime();
      cluster.kill(master);
      cluster.awaitMaster(RedisCluster.replicaOf(master));
      long promoted = System.nanoTime();
      await(
          running,
          () -> boards.stream().allMatch(board -> isDecided(board, promoted)),
          "a board of the dead master neither takes events nor reports that it lost some");
      pause(CALM);
      long ended = System.nanoTime();
      stopped = true;
      running.forEach(BoardWriter::join);
      await(List.of(), this::drain, "the journals of the boards could not be drained");
      return result(killed, promoted, ended, boards);
    } finally {
      stopped = true;
      threads.shutdownNow();
    }
  }

  /** A board that lost events takes no more until it is rebuilt. */
  private boolean isDecided(BoardId board, long since) {
    return named.contains(board) || of(board).wrote(since);
  }

  private Client of(BoardId board) {
    Client client = clients.get(board);
    if (client == null) {
      throw new IllegalArgumentException("nobody writes to " + board);
    }
    return client;
  }

  private Result result(long killed, long promoted, long ended, Set<BoardId> boards) {
    long acknowledged = 0;
    long lost = 0;
    long unnamed = 0;
    for (Map.Entry<BoardId, Client> each : clients.entrySet()) {
      int missing = each.getValue().lost().size();
      acknowledged += each.getValue().acknowledged.size();
      lost += missing;
      unnamed += named.contains(each.getKey()) ? 0 : missing;
    }
    var others = new HashSet<>(clients.keySet());
    others.removeAll(boards);
    return new Result(
        (promoted - killed) / 1e9,
        boards.stream()
                .mapToLong(board -> longestGap(of(board).acknowledged.keySet(), ended))
                .max()
                .orElse(0)
            / 1e9,
        named.size(),
        acknowledged,
        lost,
        unnamed,
        bySecond(killed, boards),
        bySecond(killed, others));
  }

  /** Without the last second, which is not whole. */
  private List<Long> bySecond(long killed, Set<BoardId> boards) {
    long from = killed - CALM.toNanos();
    long second = Duration.ofSeconds(1).toNanos();
    long last =
        clients.values().stream()
            .mapToLong(client -> client.acknowledged.lastKey())
            .max()
            .orElse(0);
    var counts = new ArrayList<Long>();
    for (long at = from; at + second <= last; at += second) {
      long end = at + second;
      long begin = at;
      counts.add(
          boards.stream()
              .mapToLong(board -> of(board).acknowledged.subMap(begin, end).size())
              .sum());
    }
    return counts;
  }

  private void drainUntilStopped() {
    while (!stopped) {
      drain();
      pause(DRAIN_INTERVAL);
    }
  }

  /** Drains all journals; false if a master does not answer. */
  private boolean drain() {
    boolean all = true;
    for (Client client : clients.values()) {
      try {
        journal.drain(client.period);
      } catch (RedisUnavailable notNow) {
        all = false;
      } catch (JournalGap gap) {
        named.add(client.period.board());
      }
    }
    return all;
  }

  /**
   * Waits until a condition holds; what has ended one of the threads is thrown.
   *
   * @param otherwise says what is the case if it does not hold in time
   */
  private static void await(
      List<CompletableFuture<Void>> running, BooleanSupplier condition, String otherwise) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      running.stream().filter(CompletableFuture::isDone).forEach(BoardWriter::join);
      if (System.nanoTime() - deadline > 0) {
        throw new WrongResult("%s within %s".formatted(otherwise, TIMEOUT));
      }
      pause(RETRY_INTERVAL);
    }
  }

  private static void pause(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }
}
