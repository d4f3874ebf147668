package palmares.bench.nodes;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;
import palmares.bench.Beans;
import palmares.bench.Figure.Aim;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.live.board.LiveKeys;
import palmares.period.Period;
import palmares.period.Periods;
import palmares.platform.time.SettableClock;
import palmares.rules.board.BoardId;
import palmares.settlement.closing.ClosingCause;
import palmares.settlement.closing.Closings;

/** Compares boards over the masters of a cluster with boards on one Redis. */
final class ClusterBench {
  /** Of a core, for each Redis of the runs with quotas. */
  private static final double QUOTA = 0.05;

  private static final int BOARDS_OF_MASTER = 2;

  /** With a quota, this fraction of the events is written. */
  private static final int LIMITED_FRACTION = 2;

  private final Beans one;
  private final Beans several;
  private final SettableClock clock;
  private final RedisCluster cluster;
  private final ProgressListener progress;
  private final BoardWriter toOne;
  private final BoardWriter toCluster;
  private final Map<BoardId, Integer> masters = new HashMap<>();

  /**
   * @param one an application on one Redis
   * @param several an application on the cluster, with another database
   * @param clock of both applications
   */
  ClusterBench(
      Beans one,
      Beans several,
      SettableClock clock,
      RedisCluster cluster,
      long seed,
      ProgressListener progress) {
    this.one = one;
    this.several = several;
    this.clock = clock;
    this.cluster = cluster;
    this.progress = progress;
    this.toOne = new BoardWriter(one, seed);
    this.toCluster = new BoardWriter(several, seed);
  }

  /** Writes an event to each board, and counts the boards of each master. */
  void spread(Figures figures) {
    NodeBoards.written().forEach(board -> toCluster.take(List.of(toCluster.next(board))));
    double farthest = 0;
    for (int i = 0; i < RedisCluster.MASTERS; i++) {
      int master = i;
      List<BoardId> held =
          cluster.command(i, commands -> commands.keys("*:meta")).stream()
              .flatMap(key -> LiveKeys.owner(key).stream())
              .map(owned -> owned.keys().board())
              .toList();
      held.forEach(board -> masters.put(board, master));
      double mean = (double) NodeBoards.WRITTEN / RedisCluster.MASTERS;
      farthest = Math.max(farthest, Math.abs(held.size() - mean));
      figures.add(
          "nodes_boards_%s".formatted(i + 1),
          "  boards of master %d".formatted(i + 1),
          held.size(),
          "");
    }
    if (masters.size() != NodeBoards.WRITTEN) {
      throw new WrongResult(
          "the masters have %d boards, not %d".formatted(masters.size(), NodeBoards.WRITTEN));
    }
    figures.addWithAim(
        "nodes_boards_off",
        "60 boards of a day over three masters, farthest from 20",
        farthest,
        Aim.atMost(8));
  }

  /** As many boards of each master. */
  private List<BoardId> boards() {
    return IntStream.range(0, RedisCluster.MASTERS)
        .boxed()
        .flatMap(
            master ->
                NodeBoards.written().stream()
                    .filter(board -> Objects.equals(masters.get(board), master))
                    .limit(BOARDS_OF_MASTER))
        .toList();
  }

  /** Writes to one board on both, in turn. */
  void write(int events, int runs, Figures figures) {
    List<BoardId> board = boards().subList(0, 1);
    Rates rates = rates("write", board, events, runs);
    figures.addWithAim(
        "nodes_write_ratio",
        "writes to one board, on a cluster / on one Redis",
        rates.ratio(),
        Aim.atLeast(.9));
    rates.addTo(figures, "nodes_write");
  }

  /**
   * Writes to boards of all masters, with the same quota for each Redis.
   *
   * @param single the process of the one Redis
   */
  void writeWithQuotas(CpuQuotas quotas, long single, int events, int runs, Figures figures) {
    quotas.limit(single, QUOTA);
    IntStream.range(0, RedisCluster.MASTERS)
        .forEach(master -> quotas.limit(cluster.pid(master), QUOTA));
    try {
      Rates rates = rates("write with quotas", boards(), events / LIMITED_FRACTION, runs);
      figures.addWithAim(
          "nodes_quota_ratio",
          "writes to six boards with quotas, on three masters / on one Redis",
          rates.ratio(),
          Aim.atLeast(2.5));
      rates.addTo(figures, "nodes_quota");
    } finally {
      quotas.lift();
    }
  }

  /** Events a second of each run. */
  private record Rates(List<Double> ofCluster, List<Double> ofOne) {
    double ratio() {
      return Timing.median(
          IntStream.range(0, ofOne.size())
              .mapToObj(run -> ofCluster.get(run) / ofOne.get(run))
              .toList());
    }

    void addTo(Figures figures, String name) {
      figures
          .add(name + "_cluster", "  on the cluster", Timing.median(ofCluster), "events/s")
          .add(name + "_one", "  on one Redis", Timing.median(ofOne), "events/s");
    }
  }

  private Rates rates(String task, List<BoardId> boards, int events, int runs) {
    var rates = new Rates(new ArrayList<>(), new ArrayList<>());
    try (Task shown = progress.begin(task, 2L * events * (runs + 1))) {
      for (int run = 0; run <= runs; run++) {
        // In an even number of runs, each is first as often as the other.
        boolean clusterFirst = run % 2 == 0;
        double first = (clusterFirst ? toCluster : toOne).write(boards, events);
        shown.at((2L * run + 1) * events);
        double second = (clusterFirst ? toOne : toCluster).write(boards, events);
        shown.at((2L * run + 2) * events);
        if (run > 0) {
          rates.ofCluster().add(clusterFirst ? first : second);
          rates.ofOne().add(clusterFirst ? second : first);
          progress.report(
              "%s: %.0f events a second on the cluster, %.0f on one Redis"
                  .formatted(task, clusterFirst ? first : second, clusterFirst ? second : first));
        }
      }
    }
    return rates;
  }

  /**
   * Kills a master while clients write to boards of all of them.
   *
   * @param texts receives the events by second, as texts of numbers
   */
  void failOver(Figures figures, Map<String, Object> texts) throws IOException {
    List<BoardId> boards = boards();
    Set<BoardId> ofMaster =
        boards.stream()
            .filter(board -> Objects.equals(masters.get(board), 0))
            .collect(Collectors.toSet());
    List<Period> periods = boards.stream().map(board -> open(several, board)).toList();
    progress.report("kill a master under load");
    Failover.Result result = new Failover(several, toCluster, periods).run(cluster, 0, ofMaster);
    progress.report(
        "promoted after %.2f s; the longest outage of a board was %.2f s"
            .formatted(result.promotion(), result.outage()));
    figures
        .addWithAim(
            "nodes_outage_ratio",
            "outage of a dead master's boards / time of promotion",
            result.outage() / result.promotion(),
            Aim.atMost(1.5))
        .addWithAim(
            "nodes_boards_not_back",
            "boards that take no more events after it",
            result.notBack(),
            Aim.atMost(0))
        .add("nodes_outage_seconds", "  outage", result.outage(), "s")
        .add("nodes_promotion_seconds", "  promotion", result.promotion(), "s")
        .addWithAim(
            "nodes_lost_unnamed",
            "acknowledged events lost without a name",
            result.unnamed(),
            Aim.atMost(0))
        .add("nodes_lost", "  lost", result.lost(), "")
        .add("nodes_acknowledged", "  acknowledged", result.acknowledged(), "");
    texts.put("nodes_events_of_master", joined(result.ofMaster()));
    texts.put("nodes_events_of_others", joined(result.ofOthers()));
  }

  private static String joined(List<Long> counts) {
    return counts.stream().map(String::valueOf).collect(joining(","));
  }

  private Period open(Beans beans, BoardId board) {
    return beans.get(Periods.class).at(board, clock.instant()).orElseThrow();
  }

  /**
   * Closes what was written on one Redis.
   *
   * @throws WrongResult if a period is not settled, or lacks events
   */
  void settle() {
    List<Period> open = one.get(Periods.class).open();
    open.forEach(period -> clock.set(Objects.requireNonNull(period.closesAt())));
    for (Period period : open) {
      WrongResult.requireSettled(
          one.get(Closings.class).close(period.id(), ClosingCause.of("bench"), step -> {}));
    }
    long kept =
        one.get(JdbcClient.class).sql("select count(*) from event").query(Long.class).single();
    if (kept != toOne.written()) {
      throw new WrongResult(
          "%d events were written, but the journals have %d".formatted(toOne.written(), kept));
    }
  }
}
