package palmares.crash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import palmares.crash.FaultyStores.Kind;
import palmares.crash.FaultyStores.Store;

/**
 * Injects faults of stores while a day is played: when the server passes a point that is chosen by
 * chance, at which it is stopped until the fault has begun, or at a moment if it does not soon.
 */
final class FaultInjector {
  private static final long LONGEST_MILLIS = 2_000;

  private static final long LONGEST_WAIT_MILLIS = 1_500;

  /** How long an answer may take that is lost. */
  private static final long ANSWER_MILLIS = 5_000;

  private static final int DISK_MILLIS = 500;

  /** How often a server passes the point that is chosen. */
  private static final int PASSES = 12;

  private final KillWorld world;
  private final FaultyStores stores;
  private final Kind kind;
  private final List<Store> struck;
  private final Random random;
  private final List<String> areas;
  private final long dayMillis;
  private final Thread thread;
  private final List<String> events = new ArrayList<>();
  private volatile boolean isOver;
  private volatile int injected;
  private volatile @Nullable Throwable failure;

  /**
   * @param kind what happens to the stores, to all at once
   * @param random chooses when, and for how long
   * @param points what the server passes on a day
   * @param count how often
   */
  FaultInjector(
      KillWorld world,
      Kind kind,
      List<Store> struck,
      Random random,
      Map<String, Long> points,
      long dayMillis,
      int count) {
    this.world = world;
    this.stores = world.stores();
    this.kind = kind;
    this.struck = struck;
    this.random = random;
    this.areas =
        points.keySet().stream().map(point -> point.replaceAll(":.*", ": *")).distinct().toList();
    this.dayMillis = dayMillis;
    thread = new Thread(() -> inject(count), "faults");
    thread.start();
  }

  /**
   * Ends it when the day is over.
   *
   * @return how many faults were injected
   */
  int end() throws InterruptedException {
    isOver = true;
    thread.join();
    Throwable failed = failure;
    if (failed != null) {
      throw new AssertionError(failed.getMessage() + " " + events, failed);
    }
    return injected;
  }

  /** What it did, a word each. */
  List<String> events() {
    return List.copyOf(events);
  }

  private void inject(int count) {
    try {
      while (injected < count && !isOver) {
        awaitPoint();
        if (!isOver && strike()) {
          injected++;
        }
        rest(random.nextInt(200));
      }
      while (!isOver) {
        rest(5);
      }
      resume();
    } catch (IOException | AssertionError | RuntimeException e) {
      failure = e;
      endAll();
    }
  }

  /** Lets the day end, whose failure is reported. */
  private void endAll() {
    try {
      for (Store store : struck) {
        stores.end(kind, store);
      }
      resume();
    } catch (IOException | AssertionError | RuntimeException e) {
      System.out.println("a fault that failed does not end: " + e);
    }
  }

  /** Ends with a server that is stopped at a point, or that was not for a while. */
  private void awaitPoint() throws IOException {
    String area = areas.get(random.nextInt(areas.size()));
    String arm =
        "arm\t%s\t%s\t%d%s"
            .formatted(
                area,
                random.nextBoolean() ? "after" : "before",
                1 + random.nextInt(PASSES),
                MortalServer.STOP);
    // Has no answer while the server is stopped at the point before.
    CompletableFuture.runAsync(
        () -> {
          try {
            world.server().ask(arm);
          } catch (IOException e) {
            events.add("not armed");
          }
        });
    long until =
        System.nanoTime() + nanos(random.nextLong(Math.min(dayMillis / 2, LONGEST_WAIT_MILLIS)));
    while (!isOver && System.nanoTime() < until && !world.server().isStopped()) {
      park(2);
    }
    events.add(world.server().isStopped() ? arm.replace('\t', ' ').strip() : "moment");
  }

  private boolean strike() throws IOException {
    if (kind == Kind.SET_BACK || kind == Kind.TORN) {
      return setBack();
    }
    int before = noticed();
    for (Store store : struck) {
      stores.begin(kind, store, 5 + random.nextInt(60));
    }
    resume();
    switch (kind) {
      case RESET -> {}
      case ANSWER_LOST -> {
        long until = System.nanoTime() + nanos(ANSWER_MILLIS);
        while (!isOver && System.nanoTime() < until && noticed() == before) {
          rest(2);
        }
      }
      case DISK_FULL -> {
        for (Store store : struck) {
          stores.requireFull(store, random.nextBoolean(), world.redis());
        }
        rest(random.nextInt(DISK_MILLIS));
      }
      default -> rest((long) (LONGEST_MILLIS * random.nextDouble() * random.nextDouble()));
    }
    int noticed = noticed() - before;
    for (Store store : struck) {
      stores.end(kind, store);
    }
    world.noteFault();
    boolean isOfProxy =
        switch (kind) {
          case STALLED, SLOWED, REFUSED, RESET, ANSWER_LOST -> true;
          default -> false;
        };
    events.add(isOfProxy ? kind + " " + noticed : "" + kind);
    return !isOfProxy || noticed > 0;
  }

  private int noticed() {
    return struck.stream().mapToInt(stores::struck).sum();
  }

  private boolean setBack() throws IOException {
    if (!world.server().isStopped()) {
      world.server().pause();
    }
    boolean isDone = world.setRedisBack(kind == Kind.TORN, random);
    resume();
    if (isDone) {
      world.noteFault();
      events.add("" + kind);
    }
    return isDone;
  }

  private void resume() throws IOException {
    if (world.server().isStopped()) {
      world.server().resume();
    }
  }

  /** Lets the server go on if it is stopped at the point of a fault that has begun before. */
  private void rest(long millis) throws IOException {
    long until = System.nanoTime() + nanos(millis);
    do {
      resume();
      park(2);
    } while (System.nanoTime() < until);
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static void park(long millis) {
    LockSupport.parkNanos(nanos(millis));
  }
}
