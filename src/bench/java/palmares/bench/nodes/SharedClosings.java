package palmares.bench.nodes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.WrongResult;
import palmares.bench.gauge.IdleServers;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.PeriodSeeder;
import palmares.live.board.LiveBoards;
import palmares.period.Period;
import palmares.platform.time.SettableClock;
import palmares.rules.boardfiles.Catalogue;
import palmares.settlement.verification.Verification;

/** Lets one, two and more processes of schedulers close periods that are due at the same time. */
public final class SharedClosings implements AutoCloseable {
  /** Of a core, for each scheduler; PostgreSQL, which does most of the work, has the others. */
  private static final double QUOTA = 0.1;

  /** So little that a closing goes on for long enough to be killed in the middle. */
  private static final double QUOTA_BEFORE_KILL = 0.05;

  /** Periods that each scheduler closes before anything is measured, on a cold JVM. */
  private static final int WARM_UP_PERIODS = 12;

  /** After what was written before. */
  private static final int FIRST_DAY = 2;

  private static final int MAX_KILLS = 5;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
  private static final Duration TIMEOUT = Duration.ofMinutes(15);

  private final Beans beans;
  private final SettableClock clock;
  private final Plan plan;
  private final SchedulerProcess.Starter starter;
  private final ProgressListener progress;
  private final PeriodSeeder seeder;
  private final LiveBoards live;
  private final JdbcClient jdbc;
  private final List<SchedulerProcess> schedulers = new ArrayList<>();
  private int day = FIRST_DAY;

  /**
   * @param beans of an application on the same servers, with the clock
   */
  SharedClosings(
      Beans beans,
      SettableClock clock,
      Plan plan,
      SchedulerProcess.Starter starter,
      ProgressListener progress) {
    this.beans = beans;
    this.clock = clock;
    this.plan = plan;
    this.starter = starter;
    this.progress = progress;
    this.seeder =
        new PeriodSeeder(
            beans,
            beans.get(Catalogue.class).find(NodeBoards.CLOSED).orElseThrow(),
            clock,
            ProgressListener.NONE);
    this.live = beans.get(LiveBoards.class);
    this.jdbc = beans.get(JdbcClient.class);
  }

  /**
   * What to close.
   *
   * @param periods number of periods that are due at once
   * @param members members of each
   * @param schedulers the most that share them
   */
  public record Plan(int periods, int members, int schedulers, long seed) {}

  /** Adds a scheduler that is ready. */
  void add(SchedulerProcess started) {
    schedulers.add(started);
  }

  private void start(int count) throws IOException {
    Map<String, String> stores = new Stores(beans).same();
    while (schedulers.size() < count) {
      String name = "scheduler %d".formatted(schedulers.size() + 1);
      schedulers.add(starter.start(name, stores));
    }
  }

  /**
   * Closes as many periods by one scheduler, by two, and so on, each with a quota. All of them
   * begin to measure equally warm, and the most of them measure first, so that shares can be equal.
   */
  void share(CpuQuotas quotas, Figures figures) throws IOException {
    start(plan.schedulers());
    close(seed(WARM_UP_PERIODS * plan.schedulers(), plan.members() / 5 + 1), schedulers);
    var closings = new ArrayDeque<Shared>();
    for (int count = plan.schedulers(); count > 0; count--) {
      List<SchedulerProcess> by = List.copyOf(schedulers.subList(0, count));
      List<Period> due = seed(plan.periods(), plan.members());
      by.forEach(scheduler -> quotas.limit(scheduler.pid(), QUOTA));
      double seconds = close(due, by);
      quotas.lift();
      var shared = new Shared(by, due, seconds);
      progress.report(
          "%d schedulers closed %d periods in %.1f s: %s"
              .formatted(count, due.size(), seconds, shares(shared)));
      closings.addFirst(shared);
    }
    double alone = closings.getFirst().seconds();
    for (Shared shared : closings) {
      add(figures, shared, alone / shared.seconds());
    }
  }

  /** Periods that some schedulers have closed, and the seconds. */
  private record Shared(List<SchedulerProcess> by, List<Period> closed, double seconds) {}

  private void add(Figures figures, Shared shared, double speedUp) {
    int count = shared.by().size();
    String who = count == 1 ? "one scheduler" : "%d schedulers".formatted(count);
    if (count > 1) {
      figures.addWithAim(
          "nodes_speed_up_%s".formatted(count),
          "%d periods closed by one scheduler / by %d, each with a quota"
              .formatted(shared.closed().size(), count),
          speedUp,
          Aim.atLeast(.8 * count));
    }
    figures.add("nodes_close_seconds_" + count, "  closed by " + who, shared.seconds(), "s");
    if (count == 1) {
      return;
    }
    Map<String, Integer> shares = shares(shared);
    double equal = (double) shared.closed().size() / count;
    figures.addWithAim(
        "nodes_share_off_%s".formatted(count),
        "  shares of %s, farthest from equal".formatted(who),
        shares.values().stream().mapToDouble(n -> Math.abs(n / equal - 1)).max().orElse(1),
        Aim.atMost(.2));
    int number = 0;
    for (Map.Entry<String, Integer> share : shares.entrySet()) {
      figures.add(
          "nodes_share_%s_%s".formatted(count, ++number),
          "  closed by " + share.getKey(),
          share.getValue(),
          "periods");
    }
  }

  /** How many of the periods each scheduler has closed. */
  private Map<String, Integer> shares(Shared shared) {
    var shares = new LinkedHashMap<String, Integer>();
    shared.by().forEach(scheduler -> shares.put(scheduler.name(), 0));
    jdbc.sql("select node from run where period_id = any(:ids) and outcome = 'settled'")
        .param("ids", ids(shared.closed()))
        .query(String.class)
        .list()
        .forEach(node -> shares.merge(node, 1, Integer::sum));
    return shares;
  }

  private List<Period> seed(int count, int members) {
    try (Task task = progress.begin("seed", count)) {
      List<Period> seeded =
          IntStream.rangeClosed(1, count)
              .mapToObj(
                  n -> {
                    Period period = seeder.ended(new Crowd(members, plan.seed(), ++day)).period();
                    task.at(n);
                    return period;
                  })
              .toList();
      new IdleServers(beans).await();
      return seeded;
    }
  }

  /**
   * Waits until some of the schedulers have settled all periods, and drops the live boards.
   *
   * @return the seconds
   */
  private double close(List<Period> due, List<SchedulerProcess> by) throws IOException {
    long begun = System.nanoTime();
    by.forEach(scheduler -> scheduler.setClock(clock.instant()));
    try (Task task = progress.begin("closings", due.size())) {
      for (long settled = 0; settled < due.size(); settled = settled(due)) {
        task.at(settled);
        waitSince(begun);
      }
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    due.forEach(period -> live.delete(period, () -> {}));
    return seconds;
  }

  private void waitSince(long begun) throws IOException {
    for (SchedulerProcess scheduler : schedulers) {
      scheduler.requireAlive();
    }
    if (System.nanoTime() - begun > TIMEOUT.toNanos()) {
      throw new WrongResult("periods are not closed after " + TIMEOUT);
    }
    LockSupport.parkNanos(POLL_INTERVAL.toNanos());
  }

  private long settled(List<Period> periods) {
    return jdbc.sql("select count(*) from period where id = any(:ids) and state = 'settled'")
        .param("ids", ids(periods))
        .query(Long.class)
        .single();
  }

  private static List<Long> ids(List<Period> periods) {
    return periods.stream().map(period -> period.id().value()).toList();
  }

  /**
   * Kills the scheduler that closes a period, after it was sealed, and waits for another one.
   *
   * @throws WrongResult if each closing ended before it could be killed
   */
  void takeOver(CpuQuotas quotas, Figures figures) throws IOException {
    start(2);
    int members = plan.members();
    for (int attempt = 1; attempt <= MAX_KILLS; attempt++) {
      List<Period> due = seed(1, members);
      if (quotas.refusal() == null) {
        schedulers.forEach(scheduler -> quotas.limit(scheduler.pid(), QUOTA_BEFORE_KILL));
      }
      long begun = System.nanoTime();
      schedulers.forEach(scheduler -> scheduler.setClock(clock.instant()));
      Optional<SchedulerProcess> killed = killInTheMiddle(due.get(0), begun);
      long dead = System.nanoTime();
      if (quotas.refusal() == null) {
        quotas.lift();
      }
      if (killed.isPresent()) {
        schedulers.remove(killed.get());
        awaitTakenOver(due, dead, figures);
        return;
      }
      members *= 2;
    }
    throw new WrongResult("closings ended before they could be killed: raise --period-members");
  }

  /** Empty if the closing has ended before. */
  private Optional<SchedulerProcess> killInTheMiddle(Period period, long begun) throws IOException {
    String node = "";
    while (node.isEmpty()) {
      waitSince(begun);
      node =
          jdbc.sql(
                  """
                  select node
                  from run
                  join period on period.id = period_id
                  where period.id = :id and state <> 'open'
                  """)
              .param("id", period.id().value())
              .query(String.class)
              .optional()
              .orElse("");
    }
    String closing = node;
    SchedulerProcess victim =
        schedulers.stream()
            .filter(scheduler -> scheduler.name().equals(closing))
            .findFirst()
            .orElseThrow();
    victim.kill();
    return settled(List.of(period)) == 0 ? Optional.of(victim) : revived(victim);
  }

  /** Replaces a scheduler that was killed too late. */
  private Optional<SchedulerProcess> revived(SchedulerProcess victim) throws IOException {
    schedulers.remove(victim);
    schedulers.add(starter.start(victim.name() + " again", new Stores(beans).same()));
    return Optional.empty();
  }

  private void awaitTakenOver(List<Period> period, long dead, Figures figures) throws IOException {
    while (runs(period) < 2) {
      waitSince(dead);
    }
    double taken = (System.nanoTime() - dead) / 1e9;
    while (settled(period) == 0) {
      waitSince(dead);
    }
    double settled = (System.nanoTime() - dead) / 1e9;
    figures
        .addWithAim(
            "nodes_takeover_seconds",
            "take-over of a closing after kill -9, in seconds",
            taken,
            Aim.atMost(30))
        .add("nodes_takeover_settled_seconds", "  until it was settled", settled, "s");
  }

  private long runs(List<Period> periods) {
    return jdbc.sql("select count(*) from run where period_id = any(:ids)")
        .param("ids", ids(periods))
        .query(Long.class)
        .single();
  }

  /**
   * Verifies all that was closed.
   *
   * @throws WrongResult if verification finds a difference
   */
  void verify() {
    progress.report("verify what the schedulers have closed");
    WrongResult.requireClean(beans.get(Verification.class).verifySettled(null, null));
  }

  @Override
  public void close() {
    schedulers.forEach(SchedulerProcess::close);
  }
}
