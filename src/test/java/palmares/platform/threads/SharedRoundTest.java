package palmares.platform.threads;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers share rounds, and each gets one that began after its call. */
@Timeout(60)
class SharedRoundTest {
  private static final int CALLERS = 8;

  private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS + 1);
  private final AtomicInteger rounds = new AtomicInteger();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void callersOfARunningRoundShareTheNextOne() throws InterruptedException {
    var begun = new CountDownLatch(1);
    var mayEnd = new Semaphore(0);
    var round =
        new SharedRound<>(
            () -> {
              int number = rounds.incrementAndGet();
              begun.countDown();
              mayEnd.acquireUninterruptibly();
              return number;
            });
    CompletableFuture<Integer> first = supplyAsync(round::join, threads);
    begun.await();
    Set<Integer> results = ConcurrentHashMap.newKeySet();
    List<Thread> callers =
        Stream.generate(() -> new Thread(() -> results.add(round.join()))).limit(CALLERS).toList();
    callers.forEach(Thread::start);
    long start = System.nanoTime();
    // One of them waits for the lock of the running round, the others wait for that one.
    while (count(callers, Thread.State.BLOCKED) != 1
        || count(callers, Thread.State.WAITING) != CALLERS - 1) {
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
      Thread.onSpinWait();
    }
    assertThat(results).isEmpty();
    mayEnd.release(1 + CALLERS);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(first.join()).isEqualTo(1);
    assertThat(results).containsExactly(2);
    assertThat(rounds.get()).isEqualTo(2);
  }

  private static long count(List<Thread> threads, Thread.State state) {
    return threads.stream().filter(thread -> thread.getState() == state).count();
  }

  @Test
  void everyCallerGetsARoundThatSeesWhatItDidBefore() {
    Set<Integer> done = ConcurrentHashMap.newKeySet();
    var round =
        new SharedRound<>(
            () -> {
              rounds.incrementAndGet();
              return Set.copyOf(done);
            });
    var work = new ArrayList<CompletableFuture<Void>>();
    int each = 200;
    for (int caller = 0; caller < CALLERS; caller++) {
      int first = caller * each;
      work.add(
          CompletableFuture.runAsync(
              () -> {
                for (int item = first; item < first + each; item++) {
                  done.add(item);
                  assertThat(round.join()).contains(item);
                }
              },
              threads));
    }
    CompletableFuture.allOf(work.toArray(CompletableFuture[]::new)).join();
    assertThat(rounds.get()).isBetween(each, CALLERS * each);
  }

  @Test
  void aRoundThatFailsDoesNotPreventTheNextOne() throws Exception {
    var begun = new CountDownLatch(1);
    var mayEnd = new CountDownLatch(1);
    var round =
        new SharedRound<>(
            () -> {
              if (rounds.incrementAndGet() > 1) {
                return rounds.get();
              }
              begun.countDown();
              try {
                mayEnd.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              throw new IllegalStateException("the disk is full");
            });
    CompletableFuture<Integer> first = supplyAsync(round::join, threads);
    begun.await();
    CompletableFuture<Integer> later = supplyAsync(round::join, threads);
    mayEnd.countDown();
    assertThatThrownBy(() -> first.get(20, TimeUnit.SECONDS))
        .hasRootCauseMessage("the disk is full");
    assertThat(later.get(20, TimeUnit.SECONDS)).isEqualTo(2);
  }
}
