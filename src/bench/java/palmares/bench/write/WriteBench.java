package palmares.bench.write;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import palmares.bench.Beans;
import palmares.bench.WrongResult;
import palmares.bench.gauge.CpuGauge;
import palmares.bench.write.Volley.CoinEvent;
import palmares.bench.write.Volley.CoinEvents;
import palmares.bench.write.WriteBench.Server;
import palmares.bench.write.WriteFigures.EventSizes;
import palmares.bench.write.WriteFigures.WayRun;
import palmares.live.board.LiveBoards;
import palmares.operations.memory.RedisMemory;
import palmares.period.Population;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.Slot;

/** Measures all ways to write in turn, each on an empty board. */
public final class WriteBench {
  private final Beans beans;
  private final BoardDays days;
  private final Plan plan;
  private final EventSizes bytes;
  private final BoardId committed;
  private final CpuGauge cpu;
  private long written;

  /**
   * @param clock the application's clock, which is set from day to day
   * @param board with daily periods and the action {@code coin}, and without data
   * @param committed likewise, with the action {@code gem}; it commits events
   */
  public WriteBench(Beans beans, SettableClock clock, Board board, Board committed, Plan plan) {
    this.beans = beans;
    this.committed = committed.id();
    this.days = new BoardDays(board, clock, beans.get(LiveBoards.class));
    this.plan = plan;
    this.cpu = new CpuGauge(beans);
    this.bytes = new EventSizes(beans.get(RedisMemory.class), beans.get(JdbcClient.class));
  }

  /** Keeps the endpoint free of security that the real one is compared with. */
  public static WebSecurityCustomizer open() {
    return security -> security.ignoring().requestMatchers(BenchEndpoints.PATHS);
  }

  /**
   * @param generator command that runs {@link LoadGenerator}
   * @param server address of the application
   * @param progress receives the name of each way
   * @throws WrongResult if a way did not write all events
   */
  public WriteFigures measure(List<String> generator, Server server, Consumer<String> progress)
      throws Exception {
    var measured = new LinkedHashMap<String, List<WayRun>>();
    try (Ways candidates = Ways.start(beans, days, committed, plan, generator, server)) {
      Map<String, Way> ways = candidates.ways();
      for (int run = 0; run <= plan.runs(); run++) {
        var order = new ArrayList<>(ways.entrySet());
        if (run % 2 == 0) {
          Collections.reverse(order); // so that none profits from what came before it
        }
        for (Map.Entry<String, Way> way : order) {
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
    int events = way instanceof LockRecipe ? plan.eventsWithLocks() : plan.events();
    long first = written;
    written += events;
    Slot day = days.next();
    cpu.begin();
    long begun = System.nanoTime();
    SendResult sent = way.write(day, first, events);
    double seconds = (System.nanoTime() - begun) / 1e9;
    Map<String, Double> cpuUse = cpu.end();
    if (way instanceof RawScript) {
      bytes.measure(days.unrecorded(day), events);
    }
    require(name, expected(first, events), way.collect(day));
    return new WayRun(sent, events, cpuUse, seconds);
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
   * What to measure.
   *
   * @param clients number of concurrent clients
   * @param events events of each way in a run; a multiple of {@code batch}
   * @param batch events of a batch
   * @param runs number of runs, after one that does not count
   * @param seed of the events
   */
  public record Plan(int clients, int events, int batch, int runs, long seed) {
    private static final int MEMBERS = 100_000;

    /** Ways with locks are slow; they write this fraction of the events. */
    private static final int LOCKED_FRACTION = 4;

    public Plan {
      if (clients < 1 || events < 1 || batch < 1 || runs < 1 || events % batch != 0) {
        throw new IllegalArgumentException("cannot be measured: " + this);
      }
    }

    CoinEvents source() {
      return new CoinEvents(seed, MEMBERS, "coin");
    }

    /** The same events, which only the board counts that commits them. */
    CoinEvents committedSource() {
      return new CoinEvents(seed, MEMBERS, "gem");
    }

    int eventsWithLocks() {
      return Math.max(1, events / LOCKED_FRACTION);
    }
  }

  /** The address of the application, and an API key. */
  public record Server(String host, int port, String apiKey) {}
}
