package palmares.bench.read;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import palmares.bench.Beans;
import palmares.bench.Figures;
import palmares.bench.ProgressListener;
import palmares.bench.ProgressListener.Task;
import palmares.bench.Timing;
import palmares.bench.WrongResult;
import palmares.bench.gauge.IdleServers;
import palmares.bench.seeding.Crowd;
import palmares.bench.seeding.PeriodSeeder;
import palmares.bench.seeding.SeededPeriod;
import palmares.live.board.LiveBoards;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.rules.boardfiles.Catalogue;

/** Measures the time of queries of seeded live boards. */
public final class ReadBench {
  /** Rounds before the first measured one, for the JIT compiler. */
  private static final int FIRST_WARM_UP_ROUNDS = 5;

  /** Number of members whose exact place is checked. */
  private static final int CHECKED_PLACES = 5;

  private final Beans beans;
  private final SettableClock clock;
  private final ProgressListener progress;
  private final LiveQueries queries;
  private final LiveBoards live;
  private final IdleServers idle;
  private int day;

  /**
   * @param beans of an application that uses {@link ReadBoards}, the clock, and servers without
   *     other data
   */
  public ReadBench(Beans beans, SettableClock clock, ProgressListener progress) {
    this.beans = beans;
    this.clock = clock;
    this.progress = progress;
    this.queries = beans.get(LiveQueries.class);
    this.live = beans.get(LiveBoards.class);
    this.idle = new IdleServers(beans);
  }

  /**
   * What to measure.
   *
   * @param sizes members of the boards, one board after the other
   * @param queries repetitions of each query in a run
   * @param runs number of runs
   * @param seed of the members and of the choice whom to query
   */
  public record Plan(List<Long> sizes, int queries, int runs, long seed) {}

  /**
   * Measures all boards.
   *
   * @throws WrongResult if an answer is wrong
   */
  public Figures measure(Plan plan) {
    var figures = new ReadFigures(plan.sizes());
    for (long members : plan.sizes()) {
      for (RankMethod method : RankMethod.values()) {
        Board board = beans.get(Catalogue.class).find(ReadBoards.id(method)).orElseThrow();
        var crowd = new Crowd(members, plan.seed(), ++day);
        SeededPeriod seeded = new PeriodSeeder(beans, board, clock, progress).open(crowd);
        idle.await();
        ask(plan, seeded).forEach((query, us) -> figures.add(method, members, query, us));
        live.delete(seeded.period(), () -> {});
      }
    }
    return figures.all();
  }

  /** Microseconds of each query, one value for each run. */
  private Map<Query, List<Double>> ask(Plan plan, SeededPeriod seeded) {
    var micros = new EnumMap<Query, List<Double>>(Query.class);
    var random = new SplittableRandom(plan.seed() + day);
    var expected = new ExpectedAnswers(seeded);
    int warmUps = day == 1 ? FIRST_WARM_UP_ROUNDS : 1;
    int rounds = warmUps + plan.runs();
    long each = (long) plan.queries() * Query.values().length;
    try (Task task = progress.begin("ask " + seeded.board().id(), rounds * each)) {
      for (int round = 0; round < rounds; round++) {
        for (Query query : Query.values()) {
          double median = round(query, plan.queries(), seeded, expected, random);
          if (round >= warmUps) {
            micros.computeIfAbsent(query, q -> new ArrayList<>()).add(median);
          }
        }
        task.at((round + 1) * each);
      }
    }
    checkPlaces(seeded, expected, random);
    return micros;
  }

  private double round(
      Query query,
      int times,
      SeededPeriod seeded,
      ExpectedAnswers expected,
      SplittableRandom random) {
    var micros = new ArrayList<Double>(times);
    for (int i = 0; i < times; i++) {
      long n = random.nextLong(seeded.crowd().members());
      var member = new MemberId(seeded.crowd().member(n));
      long start = System.nanoTime();
      LivePage page = query.ask(queries, seeded, member);
      micros.add((System.nanoTime() - start) / 1e3);
      expected.check(query, n, page);
    }
    return Timing.median(micros);
  }

  private void checkPlaces(SeededPeriod seeded, ExpectedAnswers expected, SplittableRandom random) {
    for (int i = 0; i < CHECKED_PLACES; i++) {
      long n = random.nextLong(seeded.crowd().members());
      var member = new MemberId(seeded.crowd().member(n));
      LivePage page = Query.RANK.ask(queries, seeded, member);
      expected.check(Query.RANK, n, page);
      expected.checkPlace(n, page.lines().get(0));
    }
  }
}
