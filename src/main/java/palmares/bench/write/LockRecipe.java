package palmares.bench.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.redisson.api.RLock;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import palmares.calendar.Slot;
import palmares.period.Population;

/**
 * The usual way: takes a lock, looks whether the event is new, reads the member's points, adds, and
 * writes them back; as many threads as there are clients.
 */
final class LockRecipe implements Way {
  private final RedissonClient redisson;
  private final Crowd crowd;
  private final int threads;
  private final boolean perMember;

  /**
   * @param perMember whether each member has a lock of its own; else the board has one
   */
  LockRecipe(RedissonClient redisson, Crowd crowd, int threads, boolean perMember) {
    this.redisson = redisson;
    this.crowd = crowd;
    this.threads = threads;
    this.perMember = perMember;
  }

  @Override
  public Sent write(Slot day, long first, int events) throws InterruptedException {
    var took = new long[events];
    var next = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      var running = new ArrayList<Future<?>>();
      long begun = System.nanoTime();
      for (int i = 0; i < threads; i++) {
        running.add(pool.submit(() -> work(day, first, next, took)));
      }
      await(running);
      return new Sent(Pace.of(events, System.nanoTime() - begun, took), 0);
    } finally {
      pool.shutdownNow();
    }
  }

  private void work(Slot day, long first, AtomicInteger next, long[] took) {
    for (int at = next.getAndIncrement(); at < took.length; at = next.getAndIncrement()) {
      long begun = System.nanoTime();
      add(day, crowd.deed(first + at));
      took[at] = System.nanoTime() - begun;
    }
  }

  private void add(Slot day, Deed deed) {
    String board = key(day);
    RLock lock = redisson.getLock(board + ":lock" + (perMember ? ":" + deed.member() : ""));
    lock.lock();
    try {
      if (ids(day).add(deed.id())) {
        RScoredSortedSet<String> lines = lines(day);
        Double points = lines.getScore(deed.member());
        lines.add((points == null ? 0 : points) + deed.points(), deed.member());
      }
    } finally {
      lock.unlock();
    }
  }

  private static void await(List<Future<?>> running) throws InterruptedException {
    try {
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the lock recipe failed", e.getCause());
    }
  }

  @Override
  public Optional<Population> collect(Slot day) {
    double points =
        lines(day).entryRange(0, -1).stream().mapToDouble(line -> line.getScore()).sum();
    var held = new Population(lines(day).size(), Math.round(points), ids(day).size());
    redisson.getKeys().unlink(key(day) + ":lines", key(day) + ":ids");
    return Optional.of(held);
  }

  private RScoredSortedSet<String> lines(Slot day) {
    return redisson.getScoredSortedSet(key(day) + ":lines", StringCodec.INSTANCE);
  }

  private RSet<String> ids(Slot day) {
    return redisson.getSet(key(day) + ":ids", StringCodec.INSTANCE);
  }

  private static String key(Slot day) {
    return "usual:{" + day.name() + "}";
  }
}
