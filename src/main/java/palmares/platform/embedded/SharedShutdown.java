package palmares.platform.embedded;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How an owner leaves when others still use its servers. */
enum SharedShutdown {
  /** A server was told to stop, so its servers stop. */
  AT_ONCE {
    @Override
    void from(SharedLock guests, Stop stop) throws IOException {
      stop.run();
    }
  },

  /** A command merely came first; it stays for those who came after, unless it is told to stop. */
  AFTER_THE_LAST_GUEST {
    @Override
    void from(SharedLock guests, Stop stop) throws IOException {
      CountDownLatch told = new CountDownLatch(1);
      CountDownLatch gone = new CountDownLatch(1);
      Thread hook = new Thread(() -> tellAndWait(told, gone), "palmares-owner-leaves");
      try {
        Runtime.getRuntime().addShutdownHook(hook);
      } catch (IllegalStateException e) {
        told.countDown(); // The process is already being stopped.
      }
      try {
        awaitGuests(guests, told);
        stop.run();
      } finally {
        gone.countDown();
        forget(hook);
      }
    }
  };

  private static final long LOOK_EVERY_MILLIS = 100;

  abstract void from(SharedLock guests, Stop stop) throws IOException;

  /** Bounded by the guests' own lives: the system drops a dead guest's lock. */
  private static void awaitGuests(SharedLock guests, CountDownLatch told) throws IOException {
    boolean announced = false;
    while (told.getCount() > 0 && !guests.shut()) {
      if (!announced) {
        System.err.println(
            "Others still use the embedded servers; staying until they are done (Ctrl-C stops).");
        announced = true;
      }
      try {
        if (told.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void tellAndWait(CountDownLatch told, CountDownLatch gone) {
    told.countDown();
    try {
      gone.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // It runs, and ends because we are gone.
    }
  }

  @FunctionalInterface
  interface Stop {
    void run() throws IOException;
  }
}
