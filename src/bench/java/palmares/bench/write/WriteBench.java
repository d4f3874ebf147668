package palmares.bench.write;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.WrongResult;
import palmares.bench.write.Volley.CoinEvent;
import palmares.bench.write.Volley.CoinEvents;
import palmares.bench.write.WriteBench.Server;
import palmares.bench.write.WriteFigures.EventSizes;
import palmares.bench.write.WriteFigures.WayRun;
import palmares.live.board.LiveBoards;
import palmares.live.board.RedisMemory;
import palmares.period.Population;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.calendar.Slot;

/** Measures writing: all ways in turn, run by run, each into an empty board. */
public final class WriteBench {
  private final Beans beans;
  private final BoardDays days;
  private final Plan plan;
  private final EventSizes bytes;
  private long written;

  /**
   * @param clock the application's, which is moved from day to day
   * @param board one with days and the action {@code coin}, of which nothing is there yet
   */
  public WriteBench(Beans beans, SettableClock clock, Board board, Plan plan) {
    this.beans = beans;
    this.days = new BoardDays(board, clock, beans.get(LiveBoards.class));
    this.plan = plan;
    this.bytes = new EventSizes(beans.get(RedisMemory.class), beans.get(JdbcClient.class));
  }

  /**
   * @param generator the command of a process that does what {@link LoadGenerator} does
   * @param server the address of the application's HTTP
   * @param progress is told what is measured
   * @throws WrongResult if a way did not write all events
   */
  public WriteFigures measure(List<String> generator, Server server, Consumer<String> progress)
      throws Exception {
    var measured = new LinkedHashMap<String, List<WayRun>>();
    try (Ways candidates = Ways.start(beans, days, plan, generator, server)) {
      Map<String, Way> ways = candidates.ways();
      for (int run = 0; run <= plan.runs(); run++) {
        for (Map.Entry<String, Way> way : ways.entrySet()) {
          progress.accept(way.getKey());
          WayRun one = measure(way.getKey(), way.getValue());
          if (run > 0) {
            measured.computeIfAbsent(way.getKey(), name -> new ArrayList<>()).add(one);
          }
        }
      }
    }
    return new WriteFigures(measured, bytes);
  }

  private WayRun measure(String name, Way way) throws Exception {
    int events = way instanceof LockRecipe ? plan.locked() : plan.events();
    long first = written;
    written += events;
    Slot day = days.next();
    var connections = beans.get(RedisConnectionFactory.class);
    CpuUse before = CpuUse.soFar(connections);
    long begun = System.nanoTime();
    SendResult sent = way.write(day, first, events);
    double seconds = (System.nanoTime() - begun) / 1e9;
    CpuUse cpuUse = CpuUse.soFar(connections).since(before);
    if (way instanceof RawScript) {
      bytes.look(days.unrecorded(day), events);
    }
    require(name, expected(first, events), way.collect(day));
    return new WayRun(sent, cpuUse, seconds);
  }

  private Population expected(long first, int events) {
    Set<String> members = new HashSet<>();
    long points = 0;
    for (long at = first; at < first + events; at++) {
      CoinEvent event = plan.source().event(at);
      members.add(event.member());
      points += event.points();
    }
    return new Population(members.size(), points, events);
  }

  private static void require(String way, Population expected, Optional<Population> held) {
    if (way.equals("empty")) {
      return;
    }
    if (!held.equals(Optional.of(expected))) {
      throw new WrongResult("%s wrote %s, but the board holds %s".formatted(way, expected, held));
    }
  }

  /**
   * How much writing is measured.
   *
   * @param clients how many write at a time
   * @param events how many each way writes in a run; a multiple of {@code batch}
   * @param batch how many events a batch brings
   * @param runs how often it is measured; once more goes before, and does not count
   * @param seed what the events are drawn from
   */
  public record Plan(int clients, int events, int batch, int runs, long seed) {
    private static final int MEMBERS = 100_000;

    /** Locks are so slow that a part of the events tells as much. */
    private static final int FEWER_LOCKED = 4;

    public Plan {
      if (clients < 1 || events < 1 || batch < 1 || runs < 1 || events % batch != 0) {
        throw new IllegalArgumentException("cannot be measured: " + this);
      }
    }

    CoinEvents source() {
      return new CoinEvents(seed, MEMBERS);
    }

    int locked() {
      return Math.max(1, events / FEWER_LOCKED);
    }
  }

  /**
   * How much of the processors has been used, in seconds.
   *
   * @param redis by the server of Redis
   * @param server by this process, which serves HTTP, and in which clients of Redis run
   */
  record CpuUse(double redis, double server) {

    /** Since they began. */
    static CpuUse soFar(RedisConnectionFactory connections) {
      try (RedisConnection connection = connections.getConnection()) {
        Properties cpu = Objects.requireNonNull(connection.serverCommands().info("cpu"));
        return new CpuUse(
            seconds(cpu, "used_cpu_user") + seconds(cpu, "used_cpu_sys"),
            LoadGenerator.cpuSeconds());
      }
    }

    private static double seconds(Properties cpu, String name) {
      return Double.parseDouble(cpu.getProperty(name, "0"));
    }

    CpuUse since(CpuUse before) {
      return new CpuUse(redis - before.redis, server - before.server);
    }
  }

  /** The server that events are sent to, and the key that it knows their senders by. */
  public record Server(String host, int port, String apiKey) {}
}
