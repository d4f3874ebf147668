package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.crash.KillWorld.Filling;
import palmares.testing.FaultJournal;

/**
 * A server dies by SIGKILL at each of its points, twice in a row, and at any moment. It ends each
 * time as a model says that shares no code with it: lines, balances, events and delivered facts.
 *
 * <p>{@code -Dtests.kill-points=4} kills it 4 times before or after each point, {@code
 * -Dtests.kill-pairs=100} and {@code -Dtests.kill-moments=500} as often as that; {@code
 * -Dtests.kill-schedulers=200} kills or stops one of three as often. A campaign that was stopped
 * goes on; delete {@code target/kills.tsv} to begin again. {@code -Dtests.kill=REGEX} replays the
 * runs whose name has a match.
 */
class KillCampaignTest {
  private static final long SEED = Long.getLong("tests.kill-seed", 20_261_130);

  /** Whose work has points on each day, and on a first start. */
  private static final Set<String> AREAS =
      Set.of(
          "intake",
          "import",
          "drain",
          "relay",
          "watch",
          "closing",
          "outbox",
          "amendment",
          "withheld lines",
          "task",
          "batch task",
          "archive",
          "migration");

  /** A world is left before its tables make each day slow. */
  private static final int DAYS_OF_A_WORLD = 40;

  /** Which commit of the day's closings, after the start before, the suite kills behind. */
  private static final int COMMITS = 3;

  /** How often a fault that was not reached is chosen again. */
  private static final int TRIES = 6;

  private static final String NOT_REACHED = "not reached";

  @TempDir private Path folder;

  /** Whether the world has several schedulers, of which others go on. */
  private boolean several;

  private @Nullable KillWorld world;
  private Filling filling = Filling.SHARED;
  private int worlds;
  private int days;
  private long dayMillis;

  /** What a server passes on a day, and what it passes in its first start alone. */
  private record Points(Map<String, Long> ofADay, Map<String, Long> ofAStart) {}

  /**
   * Kills that follow each other: the first on a running server, the next ones after each start.
   *
   * @param thousandth of a day after which it is killed wherever it is; 0 for none
   * @param onFirstStart whether it is the first start of all, which migrates
   */
  private record Fault(List<String> arms, int thousandth, boolean onFirstStart) {
    static Fault at(String... arms) {
      return new Fault(List.of(arms), 0, false);
    }

    int deaths() {
      return Math.max(1, arms.size());
    }
  }

  /**
   * A day with a fault.
   *
   * @param tries the fault, and others in its place if it is not reached
   * @param lead the server that it is about
   */
  private record Plan(String name, long seed, Filling filling, List<Fault> tries, int lead) {
    Plan(String name, Filling filling, List<Fault> tries) {
      this(name, SEED + name.hashCode(), filling, tries, 0);
    }
  }

  @Test
  void aServerThatIsKilledInItsWorkEndsAsIfNothingHadDied() throws IOException {
    Fault fault =
        Fault.at(
            arm("watch: RankWatch.store statement", true, 1),
            arm("closing: Withholding.take statement", true, 1),
            arm("closing: * commit", true, COMMITS));
    var plan = new Plan("the suite's", Filling.SHARED, List.of(fault));
    assertThat(run(plan)).as("%s", plan).isEqualTo(FaultJournal.KEPT);
    KillWorld used = world();
    used.verify();
    assertThat(used.deaths()).isEqualTo(fault.deaths());
    used.close();
  }

  @Test
  void aKillThatIsNotReachedIsNoSuccess() {
    Fault pair = Fault.at(arm("nowhere", true, 1), arm("elsewhere", false, 1));
    assertThat(verdict(pair, 1)).isEqualTo(NOT_REACHED);
    assertThat(verdict(pair, 2)).isEqualTo(FaultJournal.KEPT);
    assertThat(verdict(new Fault(List.of(), 500, false), 0)).isEqualTo(NOT_REACHED);
  }

  @Test
  void everyKillEndsAsIfNothingHadDied() throws IOException {
    int each = Integer.getInteger("tests.kill-points", 0);
    int pairs = Integer.getInteger("tests.kill-pairs", 0);
    int moments = Integer.getInteger("tests.kill-moments", 0);
    assumeThat(each + pairs + moments).as("a campaign").isPositive();
    var points = new LinkedHashMap<Filling, Points>();
    for (Filling one : each + pairs > 0 ? Filling.values() : new Filling[] {filling}) {
      begin(one);
      points.put(one, record(2));
    }
    var failures = new ArrayList<String>();
    if (each > 0) {
      assertThat(areas(points.values())).containsAll(AREAS);
      failures.addAll(campaign("kill -9 at each point", atEach(points, each)));
    }
    if (pairs > 0) {
      failures.addAll(campaign("kill -9, and again in the recovery", pairs(points, pairs)));
    }
    failures.addAll(campaign("kill -9 at any moment", moments(moments)));
    endWorld();
    assertThat(failures).isEmpty();
  }

  private static Set<String> areas(Collection<Points> points) {
    return points.stream()
        .flatMap(
            some -> Stream.of(some.ofADay(), some.ofAStart()).flatMap(all -> all.keySet().stream()))
        .map(point -> point.substring(0, point.indexOf(':')))
        .collect(Collectors.toSet());
  }

  private void endWorld() throws IOException {
    if (world != null) {
      if (several) {
        world.shares().forEach(System.out::println);
      }
      world.close();
      world = null;
    }
  }

  /** Each of three schedulers has a day's closings to do, and others see it a moment later. */
  @Test
  void othersDoWhatOneOfThreeSchedulersWasDoing() throws IOException {
    int count = Integer.getInteger("tests.kill-schedulers", 0);
    assumeThat(count).as("a campaign").isPositive();
    several = true;
    filling = Filling.SLICED;
    List<String> failures =
        campaign("one of three schedulers is killed or hangs", ofSchedulers(record(2), count));
    endWorld();
    assertThat(failures).isEmpty();
  }

  /** Runs what was not kept yet, or only what is replayed, and returns what failed. */
  private List<String> campaign(String fault, List<Plan> plans) throws IOException {
    var journal = new FaultJournal("kills", fault, SEED);
    String replayed = System.getProperty("tests.kill", "");
    for (Plan plan : plans) {
      if (replayed.isEmpty()
          ? !journal.isKept(plan.name())
          : Pattern.compile(replayed).matcher(plan.name()).find()) {
        begin(plan.filling());
        long before = world().acknowledged();
        String verdict = run(plan);
        long acknowledged = world == null ? 0 : Math.max(0, world.acknowledged() - before);
        journal.note(plan.name(), 1, acknowledged, verdict);
        System.out.printf("seed %d: %s: %s%n", SEED, plan.name(), verdict);
      }
    }
    return plans.isEmpty() ? List.of() : journal.violations();
  }

  private static String arm(String point, boolean after, long times) {
    return "%s\t%s\t%d".formatted(point, after ? "after" : "before", times);
  }

  /** What a way of filling adds to the points of the ways before it is tried in it. */
  private static List<Plan> atEach(Map<Filling, Points> points, int times) {
    var random = new Random(SEED);
    var tried = new HashSet<String>();
    var plans = new ArrayList<Plan>();
    points.forEach(
        (filling, some) -> {
          for (Map.Entry<String, Long> point : some.ofADay().entrySet()) {
            for (int n = 0; tried.add(point.getKey() + n) && n < times; n++) {
              long nth = 1 + random.nextLong(Math.min(point.getValue(), 4));
              String arm = arm(point.getKey(), n % 2 == 1, nth);
              Fault first = Fault.at(arm(point.getKey(), n % 2 == 1, 1));
              plans.add(new Plan(arm + " #" + n, filling, List.of(Fault.at(arm), first)));
            }
          }
          for (Map.Entry<String, Long> point : some.ofAStart().entrySet()) {
            for (int n = 0; tried.add(point.getKey() + n) && n < times; n++) {
              String arm = arm(point.getKey(), n % 2 == 1, 1 + random.nextLong(point.getValue()));
              var fault = new Fault(List.of(arm), 0, true);
              plans.add(new Plan("first start: " + arm + " #" + n, filling, List.of(fault)));
            }
          }
        });
    return plans;
  }

  /** The second is a point that comes later on a day, as the day goes on after the first. */
  private static List<Plan> pairs(Map<Filling, Points> points, int count) {
    var plans = new ArrayList<Plan>();
    for (int n = 0; n < count; n++) {
      Filling filling = Filling.values()[n * Filling.values().length / count];
      List<String> names =
          List.copyOf(Objects.requireNonNull(points.get(filling)).ofADay().keySet());
      var random = new Random(SEED + n);
      var tries = new ArrayList<Fault>();
      for (int i = 0; i < TRIES; i++) {
        int first = random.nextInt(names.size());
        int second = first + random.nextInt(names.size() - first);
        tries.add(
            Fault.at(
                arm(names.get(first), random.nextBoolean(), 1),
                arm(names.get(second), random.nextBoolean(), 1)));
      }
      plans.add(new Plan("pair " + n, filling, tries));
    }
    return plans;
  }

  private static List<Plan> moments(int count) {
    var random = new Random(SEED + 2);
    var plans = new ArrayList<Plan>();
    for (int n = 0; n < count; n++) {
      Filling filling = Filling.values()[n * Filling.values().length / count];
      int thousandth = 1 + random.nextInt(1_000);
      List<Fault> tries =
          IntStream.rangeClosed(1, TRIES)
              .mapToObj(part -> new Fault(List.of(), thousandth / part, false))
              .toList();
      plans.add(new Plan("moment %d #%d".formatted(thousandth, n), filling, tries));
    }
    return plans;
  }

  /** Kills and stops of each server at each point of a closing, in an order by chance. */
  private static List<Plan> ofSchedulers(Points points, int count) {
    var random = new Random(SEED + 3);
    var all = new ArrayList<Plan>();
    points
        .ofADay()
        .forEach(
            (point, passed) -> {
              for (int i = 0; point.startsWith("closing: ") && i < 2 * KillWorld.SCHEDULERS; i++) {
                String arm = arm(point, random.nextBoolean(), 1 + random.nextLong(passed));
                int lead = i / 2;
                String stop = i % 2 == 0 ? "" : MortalServer.STOP;
                String name = "scheduler %d: %s%s".formatted(lead, arm, stop);
                List<Fault> tries = List.of(Fault.at(arm + stop), Fault.at(arm + stop));
                all.add(new Plan(name, SEED + name.hashCode(), Filling.SLICED, tries, lead));
              }
            });
    Collections.shuffle(all, random);
    return all.subList(0, Math.min(count, all.size()));
  }

  /** Goes on in a world that fills outcomes in this way. */
  private void begin(Filling other) throws IOException {
    if (filling != other) {
      endWorld();
      filling = other;
    }
  }

  private KillWorld world() throws IOException {
    if (world == null || days >= DAYS_OF_A_WORLD) {
      endWorld();
      days = 0;
      Path own = Files.createDirectories(folder.resolve("" + worlds++));
      world = several ? KillWorld.ofSchedulers(own) : new KillWorld(own, 1, filling);
    }
    return world;
  }

  /**
   * Plays days without a kill.
   *
   * @param count of days; what only the first of several passes is no point of a day
   */
  private Points record(int count) throws IOException {
    KillWorld recorded = world();
    recorded.revive();
    Map<String, Long> started = recorded.points();
    Map<String, Long> before = started;
    Map<String, Long> after = started;
    for (int i = 0; i < count; i++) {
      before = after;
      long began = System.nanoTime();
      recorded.play(new Random(SEED + i));
      dayMillis = (System.nanoTime() - began) / 1_000_000;
      after = recorded.points();
      days++;
    }
    var ofADay = new LinkedHashMap<>(after);
    before.forEach((point, passed) -> ofADay.merge(point, -passed, Long::sum));
    ofADay.values().removeIf(passed -> passed <= 0);
    var ofAStart = new LinkedHashMap<>(started);
    ofAStart.keySet().removeAll(ofADay.keySet());
    return new Points(ofADay, ofAStart);
  }

  /** Plays the day of a plan, and further ones as long as its fault is not reached. */
  private String run(Plan plan) throws IOException {
    String verdict = NOT_REACHED;
    for (Fault fault : plan.tries()) {
      KillWorld used = world();
      days++;
      try {
        verdict = verdict(fault, deathsIn(used, plan, fault));
        used.verify();
      } catch (AssertionError e) {
        System.out.println(plan + "\n" + used.tail());
        used.close();
        world = null;
        return fault + ": " + e.getMessage();
      }
      if (!verdict.equals(NOT_REACHED)) {
        break;
      }
    }
    return verdict;
  }

  private int deathsIn(KillWorld used, Plan plan, Fault fault) {
    if (fault.onFirstStart()) {
      used.empty();
      used.armNextStarts(fault.arms());
    } else {
      used.revive();
    }
    used.lead(plan.lead());
    int before = used.deaths();
    if (fault.arms().size() > 1) {
      used.armNextStarts(fault.arms().subList(1, fault.arms().size()));
    }
    if (fault.thousandth() > 0) {
      playAndKill(used, plan, fault.thousandth());
    } else {
      if (!fault.onFirstStart()) {
        used.arm(fault.arms().get(0));
      }
      used.play(new Random(plan.seed()));
    }
    used.armNextStarts(List.of());
    used.reviveAll();
    used.arm("");
    return used.deaths() - before;
  }

  private void playAndKill(KillWorld used, Plan plan, int thousandth) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(thousandth * dayMillis / 1_000);
    var isOver = new AtomicBoolean();
    var killer =
        new Thread(
            () -> {
              LockSupport.parkNanos(nanos);
              if (!isOver.get()) {
                used.kill(0);
              }
            });
    killer.start();
    try {
      used.play(new Random(plan.seed()));
    } finally {
      isOver.set(true);
      LockSupport.unpark(killer);
    }
    try {
      killer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String verdict(Fault fault, int deaths) {
    return deaths >= fault.deaths() ? FaultJournal.KEPT : NOT_REACHED;
  }
}
