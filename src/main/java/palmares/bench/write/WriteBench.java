package palmares.bench.write;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Parts;
import palmares.live.board.LiveBoards;
import palmares.operations.memory.RedisMemory;
import palmares.period.Population;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.calendar.Slot;

/** Measures writing: all ways in turn, run by run, each into an empty board. */
public final class WriteBench {
  private final Parts parts;
  private final Days days;
  private final Plan plan;
  private final EventBytes bytes;
  private long written;

  /**
   * @param clock the application's, which is moved from day to day
   * @param board one with days and the action {@code coin}, of which nothing is there yet
   */
  public WriteBench(Parts parts, SettableClock clock, Board board, Plan plan) {
    this.parts = parts;
    this.days = new Days(board, clock, parts.get(LiveBoards.class));
    this.plan = plan;
    this.bytes = new EventBytes(parts.get(RedisMemory.class), parts.get(JdbcClient.class));
  }

  /**
   * @param generator the command of a process that does what {@link LoadGenerator} does
   * @param server the address of the application's HTTP
   * @param progress is told what is measured
   * @throws IllegalStateException if what a way wrote did not come out right
   */
  public Writing measure(List<String> generator, Server server, Consumer<String> progress)
      throws Exception {
    var measured = new LinkedHashMap<String, List<Measurement>>();
    try (Rivals rivals = Rivals.start(parts, days, plan, generator, server)) {
      Map<String, Way> ways = rivals.ways();
      for (int run = 0; run <= plan.runs(); run++) {
        for (Map.Entry<String, Way> way : ways.entrySet()) {
          progress.accept(way.getKey());
          Measurement one = measure(way.getKey(), way.getValue());
          if (run > 0) {
            measured.computeIfAbsent(way.getKey(), name -> new ArrayList<>()).add(one);
          }
        }
      }
    }
    return new Writing(measured, bytes);
  }

  private Measurement measure(String name, Way way) throws Exception {
    int events = way instanceof LockRecipe ? plan.locked() : plan.events();
    long first = written;
    written += events;
    Slot day = days.next();
    var connections = parts.get(RedisConnectionFactory.class);
    Effort before = Effort.soFar(connections);
    long begun = System.nanoTime();
    Sent sent = way.write(day, first, events);
    double seconds = (System.nanoTime() - begun) / 1e9;
    Effort effort = Effort.soFar(connections).since(before);
    if (way instanceof RawScript) {
      bytes.look(days.unrecorded(day), events);
    }
    require(name, expected(first, events), way.collect(day));
    return new Measurement(sent, effort, seconds);
  }

  private Population expected(long first, int events) {
    Set<String> members = new HashSet<>();
    long points = 0;
    for (long at = first; at < first + events; at++) {
      Deed deed = plan.crowd().deed(at);
      members.add(deed.member());
      points += deed.points();
    }
    return new Population(members.size(), points, events);
  }

  private static void require(String way, Population expected, Optional<Population> held) {
    if (way.equals("empty")) {
      return;
    }
    if (!held.equals(Optional.of(expected))) {
      throw new IllegalStateException(
          "%s wrote %s, and there is %s".formatted(way, expected, held));
    }
  }
}
