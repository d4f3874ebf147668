package palmares.crash;

import palmares.crash.SoakWorld.Store;

/** What fails now and then while {@link SoakTest} plays. Each is over before the next. */
enum SoakFault {
  POSTGRES_STALLS,
  SERVER_0_DIES,
  REDIS_STALLS,
  POSTGRES_DIES,
  CONNECTIONS_BREAK,
  SERVER_1_DIES,
  REDIS_DIES;

  private static final long SILENCE_MILLIS = 1_000;

  /**
   * Lets it happen.
   *
   * @throws AssertionError if nothing failed
   */
  void inject(SoakWorld world, SoakModel model) {
    switch (this) {
      case POSTGRES_STALLS -> stall(world, world.postgres(), model, "safe");
      case REDIS_STALLS -> stall(world, world.redis(), model, "fast");
      case SERVER_0_DIES -> world.restart(0);
      case SERVER_1_DIES -> world.restart(1);
      case POSTGRES_DIES -> world.postgres().restart();
      case REDIS_DIES -> world.redis().restart();
      case CONNECTIONS_BREAK -> {
        cut(world, world.postgres());
        cut(world, world.redis());
      }
    }
  }

  /** Until no event of the board is acknowledged, as each needs the store. */
  private static void stall(SoakWorld world, Store store, SoakModel model, String board) {
    store.proxy().holdAnswers();
    try {
      world.until(
          "silence of " + board,
          () -> {
            long before = model.acknowledged(board);
            SoakWorld.pause(SILENCE_MILLIS);
            return model.acknowledged(board) == before;
          });
    } finally {
      store.proxy().restore();
    }
  }

  private static void cut(SoakWorld world, Store store) {
    int before = store.proxy().turnedAway();
    store.proxy().cut();
    try {
      world.until("a connection is turned away", () -> store.proxy().turnedAway() > before);
    } finally {
      store.proxy().restore();
    }
  }
}
