package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palmares.crash.FaultyStores.Kind;
import palmares.crash.FaultyStores.Store;
import palmares.testing.FaultJournal;

/**
 * PostgreSQL and Redis fail while a server lives on: they die, hang, stall, are slow, refuse, reset
 * connections, lose answers, have full disks, or come back older. Each day ends as a model says
 * that shares no code with the product.
 *
 * <p>{@code -Dtests.store-faults=200} stops each store 200 times, and injects the other faults in
 * proportion. A campaign that was stopped goes on; delete {@code target/store-faults.tsv} to begin
 * again. {@code -Dtests.store-fault=REGEX} replays the runs that have a match.
 */
class StoreFaultCampaignTest {
  private static final long SEED = Long.getLong("tests.store-fault-seed", 20_261_201);
  private static final int FAULTS = Integer.getInteger("tests.store-faults", 0);
  private static final String REPLAYED = System.getProperty("tests.store-fault", "");

  /** A world is left before its tables make each day slow. */
  private static final int DAYS_OF_A_WORLD = 40;

  private static final List<Kind> STOPS =
      List.of(Kind.KILLED, Kind.PAUSED, Kind.STALLED, Kind.SLOWED, Kind.REFUSED, Kind.RESET);

  /** The numbers of runs among which one is replayed. */
  private static final int MAX_REPLAYED = 200;

  private static final int CROWD = 20_000;
  private static final String SMALL_HEAP = System.getProperty("tests.store-heap", "72m");

  private static final List<Store> BOTH = List.of(Store.POSTGRESQL, Store.REDIS);

  @TempDir private Path folder;
  private @Nullable KillWorld world;
  private boolean hasSmallDisks;
  private int worlds;
  private int days;
  private Map<String, Long> points = Map.of();
  private long dayMillis;

  /** A row of the page. */
  private enum Row {
    POSTGRESQL("PostgreSQL is stopped, stalled, slowed, refused or reset", 1, 20, STOPS),
    REDIS("Redis is stopped, stalled, slowed, refused or reset", 1, 20, STOPS),
    BOTH_STORES("both stores are stopped, stalled or refused at once", 4, 10, STOPS.subList(0, 5)),
    COMMIT("an answer of PostgreSQL is lost after a commit", 4, 20, List.of(Kind.ANSWER_LOST)),
    SCRIPT("an answer of Redis is lost after a script", 4, 20, List.of(Kind.ANSWER_LOST)),
    DISK("the disk of PostgreSQL or of Redis is full", 10, 4, List.of(Kind.DISK_FULL)),
    BACK(
        "Redis is set back, or its file is torn at any byte",
        8,
        1,
        List.of(Kind.SET_BACK, Kind.TORN)),
    HEAP("a heap is too small for the closing of a large board", 40, 1, List.of());

    private final String fault;
    private final int share;
    private final int ofADay;
    private final List<Kind> kinds;

    /**
     * @param share how many stops of a store there are for one fault of this row
     */
    Row(String fault, int share, int ofADay, List<Kind> kinds) {
      this.fault = fault;
      this.share = share;
      this.ofADay = ofADay;
      this.kinds = kinds;
    }

    List<Store> stores(int n) {
      return switch (this) {
        case POSTGRESQL, COMMIT -> List.of(Store.POSTGRESQL);
        case REDIS, SCRIPT, BACK -> List.of(Store.REDIS);
        case BOTH_STORES -> BOTH;
        case DISK -> List.of(BOTH.get(n % 2));
        case HEAP -> List.of();
      };
    }
  }

  private record Run(Row row, int n) {
    Kind kind() {
      return row.kinds.get(n % row.kinds.size());
    }

    String name() {
      return row == Row.HEAP ? "heap " + n : "%s %s %d".formatted(row.stores(n), kind(), n);
    }

    Random random() {
      return new Random(SEED + 31L * n + row.fault.hashCode());
    }
  }

  @AfterEach
  void endWorld() throws IOException {
    if (world != null) {
      KillWorld ended = world;
      world = null;
      ended.close();
    }
  }

  /** Takes a minute of processor time, so that the suite leaves it to the campaign. */
  @Test
  void aDayOfFaultsEndsAsIfNothingHadHappened() throws IOException, InterruptedException {
    assumeThat(FAULTS > 0 || !REPLAYED.isEmpty()).as("a campaign").isTrue();
    begin(false);
    world().play(new Random(SEED)); // A store that fails while it starts ends a server.
    dayMillis = 2_000;
    points = world().points();
    assertThat(injectedIn(new Run(Row.BOTH_STORES, 0), 2)).isPositive();
    world().verify();
  }

  @Test
  void everyFaultOfAStoreEndsAsIfNothingHadHappened() throws IOException, InterruptedException {
    assumeThat(FAULTS > 0 || !REPLAYED.isEmpty()).as("a campaign").isTrue();
    System.out.println("seed " + SEED);
    var violations = new ArrayList<String>();
    for (Row row : Row.values()) {
      var journal = new FaultJournal("store-faults", row.fault, SEED);
      int wanted = (FAULTS + row.share - 1) / row.share;
      int runs = REPLAYED.isEmpty() ? 2 * wanted : MAX_REPLAYED;
      for (int n = 0; n < runs && (!REPLAYED.isEmpty() || journal.faults() < wanted); n++) {
        var run = new Run(row, n);
        if (REPLAYED.isEmpty()
            ? !journal.isKept(run.name())
            : Pattern.compile(REPLAYED).matcher(run.name()).find()) {
          play(run, journal);
        }
      }
      violations.addAll(journal.violations());
      if (REPLAYED.isEmpty() && journal.faults() < wanted) {
        violations.add("%s: injected %d of %d".formatted(row.fault, journal.faults(), wanted));
      }
    }
    assertThat(violations).isEmpty();
  }

  private KillWorld world() {
    return Objects.requireNonNull(world);
  }

  /** Begins a world, or goes on with one that has the same disks. */
  private void begin(boolean smallDisks) throws IOException {
    if (world != null && (days >= DAYS_OF_A_WORLD || smallDisks != hasSmallDisks)) {
      endWorld();
    }
    if (world == null) {
      hasSmallDisks = smallDisks;
      days = 0;
      Path own = Files.createDirectories(folder.resolve("" + worlds++));
      world = KillWorld.ofStores(own, smallDisks);
      world.start();
    }
  }

  /** Two days without a fault: what is passed and how long a day is. */
  private void record() {
    world().play(new Random(SEED));
    Map<String, Long> before = world().points();
    long began = System.nanoTime();
    world().play(new Random(SEED + 1));
    dayMillis = (System.nanoTime() - began) / 1_000_000;
    var ofADay = new TreeMap<>(world().points());
    before.forEach((point, passed) -> ofADay.merge(point, -passed, Long::sum));
    ofADay.values().removeIf(passed -> passed <= 0);
    points = ofADay;
    days += 2;
  }

  private void play(Run run, FaultJournal journal) throws IOException, InterruptedException {
    long before = 0;
    int injected = 0;
    String verdict = FaultJournal.KEPT;
    long began = System.nanoTime();
    try {
      begin(run.row() == Row.DISK);
      if (days == 0) {
        record();
      }
      before = world().acknowledged();
      injected = injectedIn(run, run.row().ofADay);
      world().verify();
      if (injected == 0) {
        verdict = "could not inject";
      }
    } catch (AssertionError | RuntimeException e) {
      verdict = "violated: " + String.valueOf(e.getMessage()).lines().limit(9).toList();
      e.printStackTrace(System.out);
      System.out.println(world == null ? "" : world.tail());
    }
    long acknowledged = world == null ? 0 : world.acknowledged() - before;
    journal.note(run.name(), injected, acknowledged, verdict);
    System.out.printf(
        "%s: %d faults, %s, %d ms%n",
        run.name(), injected, verdict, (System.nanoTime() - began) / 1_000_000);
    if (!verdict.equals(FaultJournal.KEPT)) {
      endWorld();
    }
  }

  private int injectedIn(Run run, int count) throws IOException, InterruptedException {
    days++;
    if (run.row() == Row.HEAP) {
      return world().playCrowd(new Crowd(CROWD), SMALL_HEAP);
    }
    if (run.row() == Row.BACK) {
      world().stores().rememberRedis();
    }
    Random random = run.random();
    var injector =
        new FaultInjector(
            world(),
            run.kind(),
            run.row().stores(run.n()),
            new Random(random.nextLong()),
            points,
            dayMillis,
            count);
    int injected;
    try {
      world().play(random);
    } finally {
      injected = injector.end();
      System.out.println(run.name() + " " + injector.events());
    }
    return injected;
  }
}
