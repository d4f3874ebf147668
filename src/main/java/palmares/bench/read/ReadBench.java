package palmares.bench.read;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import palmares.bench.Figures;
import palmares.bench.Measured;
import palmares.bench.Parts;
import palmares.bench.Watcher;
import palmares.bench.Watcher.Task;
import palmares.bench.WrongResult;
import palmares.bench.crowd.Crowd;
import palmares.bench.crowd.Ground;
import palmares.bench.crowd.Seeding;
import palmares.bench.gauge.Quiet;
import palmares.live.board.LiveBoards;
import palmares.live.board.LivePage;
import palmares.live.board.LiveQueries;
import palmares.platform.time.SettableClock;
import palmares.rules.board.Board;
import palmares.rules.board.MemberId;
import palmares.rules.board.RankMethod;
import palmares.rules.catalogue.Catalogue;

/** Asks seeded live boards, one question after the other, and reads off how long each takes. */
public final class ReadBench {
  /** How often all is asked before it counts: at first, until the program has been compiled. */
  private static final int FIRST_WARM_UPS = 5;

  /** Of how many members the place is counted member by member. */
  private static final int COUNTED = 5;

  private final Parts parts;
  private final SettableClock clock;
  private final Watcher watcher;
  private final LiveQueries queries;
  private final LiveBoards live;
  private final Quiet quiet;
  private int day;

  /**
   * @param parts of an application on servers of its own, with {@link ReadBoards} and the clock
   */
  public ReadBench(Parts parts, SettableClock clock, Watcher watcher) {
    this.parts = parts;
    this.clock = clock;
    this.watcher = watcher;
    this.queries = parts.get(LiveQueries.class);
    this.live = parts.get(LiveBoards.class);
    this.quiet = new Quiet(parts);
  }

  /**
   * What is to be measured.
   *
   * @param sizes how many members the boards have, one after the other
   * @param queries how often each question is asked in a run
   * @param runs how often all is asked
   * @param seed what the members, and who is asked for, are drawn from
   */
  public record Plan(List<Long> sizes, int queries, int runs, long seed) {}

  /**
   * Does all of it.
   *
   * @throws WrongResult if an answer is wrong
   */
  public Figures measure(Plan plan) {
    var figures = new ReadFigures(plan.sizes());
    for (long members : plan.sizes()) {
      for (RankMethod method : RankMethod.values()) {
        Board board = parts.get(Catalogue.class).find(ReadBoards.id(method)).orElseThrow();
        var crowd = new Crowd(members, plan.seed(), ++day);
        Ground ground = new Seeding(parts, board, clock, watcher).live(crowd);
        quiet.await();
        ask(plan, ground).forEach((question, us) -> figures.add(method, members, question, us));
        live.delete(ground.period(), () -> {});
      }
    }
    return figures.all();
  }

  /** Of each question the microseconds, one number a run. */
  private Map<Question, List<Double>> ask(Plan plan, Ground ground) {
    var micros = new EnumMap<Question, List<Double>>(Question.class);
    var random = new SplittableRandom(plan.seed() + day);
    var expected = new Expected(ground);
    int warmUps = day == 1 ? FIRST_WARM_UPS : 1;
    int rounds = warmUps + plan.runs();
    long each = (long) plan.queries() * Question.values().length;
    try (Task task = watcher.begin("ask " + ground.board().id(), rounds * each)) {
      for (int round = 0; round < rounds; round++) {
        for (Question question : Question.values()) {
          double median = round(question, plan.queries(), ground, expected, random);
          if (round >= warmUps) {
            micros.computeIfAbsent(question, q -> new ArrayList<>()).add(median);
          }
        }
        task.at((round + 1) * each);
      }
    }
    countPlaces(ground, expected, random);
    return micros;
  }

  private double round(
      Question question, int times, Ground ground, Expected expected, SplittableRandom random) {
    var micros = new ArrayList<Double>(times);
    for (int i = 0; i < times; i++) {
      long n = random.nextLong(ground.crowd().members());
      var member = new MemberId(ground.crowd().member(n));
      long start = System.nanoTime();
      LivePage page = question.ask(queries, ground, member);
      micros.add((System.nanoTime() - start) / 1e3);
      expected.check(question, n, page);
    }
    return Measured.median(micros);
  }

  private void countPlaces(Ground ground, Expected expected, SplittableRandom random) {
    for (int i = 0; i < COUNTED; i++) {
      long n = random.nextLong(ground.crowd().members());
      var member = new MemberId(ground.crowd().member(n));
      LivePage page = Question.RANK.ask(queries, ground, member);
      expected.check(Question.RANK, n, page);
      expected.checkPlace(n, page.lines().get(0));
    }
  }
}
