package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.testing.FaultTable;

/**
 * A server dies by SIGKILL at each of its points, twice in a row, and at any moment. It ends each
 * time as a model says that shares no code with it: lines, balances, events and delivered facts.
 *
 * <p>{@code -Dtests.kill-points=20} kills it 20 times before and after each point, {@code
 * -Dtests.kill-pairs=100} and {@code -Dtests.kill-moments=500} as often as that; {@code
 * -Dtests.kill-schedulers=200} kills or stops one of three as often. A campaign that was stopped
 * goes on; delete {@code target/kills.tsv} to begin again. {@code -Dtests.kill=REGEX} replays the
 * lines of it that have a match.
 */
class KillCampaignTest {
  private static final Path JOURNAL = Path.of("target", "kills.tsv");
  private static final long SEED = Long.getLong("tests.kill-seed", 20_261_130);

  /** A world is left before its tables make each day slow. */
  private static final int DAYS_OF_A_WORLD = 40;

  /** Which commit of the day's closings, after the start before, the suite kills behind. */
  private static final int COMMITS = 3;

  private static final String SURVIVED = "as if nothing had died";
  private static final String NOT_REACHED = "not reached";

  @TempDir private Path folder;

  /** Whether the world has several schedulers, of which others go on. */
  private boolean several;

  private @Nullable KillWorld world;
  private int worlds;
  private int days;
  private long dayMillis;

  /** What a server passes on a day, and what it passes in its first start alone. */
  private record Points(Map<String, Long> ofADay, Map<String, Long> ofAStart) {}

  /**
   * Kills that follow each other: the first on a running server, the next ones after each start.
   */
  private record Plan(String key, long seed, List<String> arms, long millis, int lead) {
    boolean isOfAStart() {
      return arms.size() == 1 && arms.get(0).startsWith("first start: ");
    }
  }

  @Test
  void aServerThatIsKilledInItsWorkEndsAsIfNothingHadDied() throws IOException {
    List<String> arms =
        List.of(
            arm("watch: RankWatch.store statement", true, 1),
            arm("closing: Withholding.take statement", true, 1),
            arm("closing: * commit", true, COMMITS));
    var plan = new Plan("", SEED, arms, 0, 0);
    assertThat(run(plan)).as("%s", plan).isEqualTo(SURVIVED);
    KillWorld used = world();
    used.verify();
    assertThat(used.deaths()).isEqualTo(arms.size());
    used.close();
  }

  @Test
  void aKillThatIsNotReachedIsNoSuccess() {
    var plan = new Plan("nowhere", SEED, List.of(arm("nowhere", true, 1)), 0, 0);
    assertThat(verdict(plan, 0)).isEqualTo(NOT_REACHED);
    assertThat(verdict(plan, 1)).isEqualTo(SURVIVED);
  }

  @Test
  void everyKillEndsAsIfNothingHadDied() throws IOException {
    int each = Integer.getInteger("tests.kill-points", 0);
    int pairs = Integer.getInteger("tests.kill-pairs", 0);
    int moments = Integer.getInteger("tests.kill-moments", 0);
    String replayed = System.getProperty("tests.kill", "");
    assumeThat(each + pairs + moments > 0 || !replayed.isEmpty()).as("a campaign").isTrue();
    Points points = record(2);
    Files.write(
        Path.of("target", "kill-points.tsv"),
        points.ofADay().entrySet().stream().map(point -> point.toString()).toList());
    var failures = new ArrayList<String>();
    failures.addAll(campaign("kill -9 at each point", atEach(points, each), replayed));
    failures.addAll(campaign("kill -9, and again in the recovery", pairs(points, pairs), replayed));
    failures.addAll(campaign("kill -9 at any moment", moments(moments), replayed));
    endWorld();
    assertThat(failures).isEmpty();
  }

  private void endWorld() throws IOException {
    if (world != null) {
      world.verify();
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
    List<Plan> plans = ofSchedulers(record(2), count);
    var failures = campaign("one of three schedulers is killed or hangs", plans, "");
    endWorld();
    assertThat(failures).isEmpty();
  }

  /** Runs what no earlier run has noted, or only what is replayed, and returns what failed. */
  private List<String> campaign(String fault, List<Plan> plans, String replayed)
      throws IOException {
    Map<String, String> noted = FaultTable.noted(JOURNAL);
    long acknowledged = 0;
    var failures = new ArrayList<String>();
    for (Plan plan : plans) {
      String known = noted.get(plan.key());
      if (replayed.isEmpty()
          ? !SURVIVED.equals(known)
          : Pattern.compile(replayed).matcher(plan.key()).find()) {
        long before = world().acknowledged();
        known = run(plan);
        acknowledged += world == null ? 0 : world.acknowledged() - before;
        FaultTable.note(JOURNAL, plan.key(), known);
        System.out.println(plan.key() + ": " + known);
      }
      if (known != null && !known.equals(SURVIVED)) {
        failures.add(plan.key() + ": " + known);
      }
    }
    FaultTable.note(JOURNAL, "acknowledged " + fault + " " + System.nanoTime(), "" + acknowledged);
    if (replayed.isEmpty() && !plans.isEmpty()) {
      FaultTable.write(fault, plans.size(), acknowledged(fault), failures.size(), SEED);
    }
    return failures;
  }

  private static long acknowledged(String fault) {
    return FaultTable.noted(JOURNAL).entrySet().stream()
        .filter(line -> line.getKey().startsWith("acknowledged " + fault + " "))
        .mapToLong(line -> Long.parseLong(line.getValue()))
        .sum();
  }

  private static String arm(String point, boolean after, long times) {
    return "%s\t%s\t%d".formatted(point, after ? "after" : "before", times);
  }

  private static List<Plan> atEach(Points points, int times) {
    var random = new Random(SEED);
    var plans = new ArrayList<Plan>();
    for (int n = 0; n < times; n++) {
      for (Map.Entry<String, Long> point : points.ofADay().entrySet()) {
        long nth = 1 + random.nextLong(Math.min(point.getValue(), 4));
        String arm = arm(point.getKey(), n % 2 == 1, nth);
        plans.add(plan(arm, n, List.of(arm), 0));
      }
      for (Map.Entry<String, Long> point : points.ofAStart().entrySet()) {
        String arm = arm(point.getKey(), n % 2 == 1, 1 + random.nextLong(point.getValue()));
        plans.add(plan("first start: " + arm, n, List.of("first start: " + arm), 0));
      }
    }
    return plans;
  }

  private static List<Plan> pairs(Points points, int count) {
    var random = new Random(SEED + 1);
    List<String> names = List.copyOf(points.ofADay().keySet());
    var plans = new ArrayList<Plan>();
    for (int n = 0; n < count; n++) {
      String first = arm(names.get(random.nextInt(names.size())), random.nextBoolean(), 1);
      String second = arm(names.get(random.nextInt(names.size())), random.nextBoolean(), 1);
      plans.add(plan(first + "\tthen\t" + second, n, List.of(first, second), 0));
    }
    return plans;
  }

  private static List<Plan> moments(int count) {
    var random = new Random(SEED + 2);
    var plans = new ArrayList<Plan>();
    for (int n = 0; n < count; n++) {
      long thousandth = 1 + random.nextInt(1_000);
      plans.add(plan("moment " + thousandth, n, List.of(), thousandth));
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
                String key = "scheduler %d: %s%s".formatted(lead, arm, stop);
                all.add(new Plan(key, SEED + key.hashCode(), List.of(arm + stop), 0, lead));
              }
            });
    Collections.shuffle(all, random);
    return all.subList(0, Math.min(count, all.size()));
  }

  private static Plan plan(String what, int n, List<String> arms, long moment) {
    return new Plan(what + "\t" + n, SEED + 31L * n + what.hashCode(), arms, moment, 0);
  }

  private KillWorld world() throws IOException {
    if (world == null || days >= DAYS_OF_A_WORLD) {
      endWorld();
      days = 0;
      // In every other world, several transactions fill each outcome.
      Path own = Files.createDirectories(folder.resolve("" + worlds));
      world =
          several
              ? KillWorld.ofSchedulers(own)
              : new KillWorld(own, 1, worlds % 2 == 0 ? 5_000 : 5);
      worlds++;
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
    var ofADay = new TreeMap<>(after);
    before.forEach((point, passed) -> ofADay.merge(point, -passed, Long::sum));
    ofADay.values().removeIf(passed -> passed <= 0);
    var ofAStart = new TreeMap<>(started);
    ofAStart.keySet().removeAll(ofADay.keySet());
    return new Points(ofADay, ofAStart);
  }

  /** Plays the day of a plan, a second time if the kill was not reached. */
  private String run(Plan plan) throws IOException {
    String verdict = NOT_REACHED;
    for (int attempt = 0; attempt < 2 && verdict.equals(NOT_REACHED); attempt++) {
      KillWorld used = world();
      days++;
      try {
        verdict = verdict(plan, deathsIn(used, plan));
      } catch (AssertionError e) {
        System.out.println(plan + "\n" + used.tail());
        used.close();
        world = null;
        return "violated: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
      }
    }
    return verdict;
  }

  private int deathsIn(KillWorld used, Plan plan) {
    if (plan.isOfAStart()) {
      used.empty();
      used.armNextStarts(List.of(plan.arms().get(0).replace("first start: ", "")));
    } else {
      used.revive();
    }
    used.lead(plan.lead());
    int before = used.deaths();
    if (plan.arms().size() > 1) {
      used.armNextStarts(plan.arms().subList(1, plan.arms().size()));
    }
    Thread killer = null;
    if (plan.millis() > 0) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(plan.millis() * dayMillis / 1_000);
      killer =
          new Thread(
              () -> {
                LockSupport.parkNanos(nanos);
                used.kill(0);
              });
      killer.start();
    } else if (!plan.isOfAStart()) {
      used.arm(plan.arms().get(0));
    }
    used.play(new Random(plan.seed()));
    if (killer != null) {
      LockSupport.unpark(killer);
      try {
        killer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    used.armNextStarts(List.of());
    used.reviveAll();
    used.arm("");
    return used.deaths() - before;
  }

  /** Of a pair, the second may lie on no way that the recovery takes: then one death is enough. */
  private static String verdict(Plan plan, int deaths) {
    return deaths > 0 ? SURVIVED : NOT_REACHED;
  }
}
