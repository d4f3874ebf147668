package palmares.crash;

import static org.assertj.core.api.Assertions.assertThat;

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

  private static final long STALL_MILLIS = 3_000;

  /** In which answers that were on their way arrive. */
  private static final long ON_THEIR_WAY_MILLIS = 500;

  /**
   * Lets it happen.
   *
   * @throws AssertionError if nothing failed
   */
  void inject(SoakWorld world, SoakModel model) {
    switch (this) {
      case POSTGRES_STALLS -> stall(world.postgres(), model, "safe");
      case REDIS_STALLS -> stall(world.redis(), model, "fast");
      case SERVER_0_DIES -> world.restart(0);
      case SERVER_1_DIES -> world.restart(1);
      case POSTGRES_DIES -> world.postgres().restart();
      case REDIS_DIES -> world.redis().restart();
      case CONNECTIONS_BREAK -> {
        cut(world.postgres());
        cut(world.redis());
      }
    }
  }

  /** No event of the board is acknowledged meanwhile, as each needs the store. */
  private void stall(Store store, SoakModel model, String board) {
    store.proxy().holdAnswers();
    SoakWorld.pause(ON_THEIR_WAY_MILLIS);
    long before = model.acknowledged(board);
    SoakWorld.pause(STALL_MILLIS);
    long after = model.acknowledged(board);
    store.proxy().restore();
    assertThat(after).as("%s: events of %s", this, board).isEqualTo(before);
  }

  private void cut(Store store) {
    int before = store.proxy().turnedAway();
    store.proxy().cut();
    SoakWorld.pause(ON_THEIR_WAY_MILLIS);
    store.proxy().restore();
    assertThat(store.proxy().turnedAway()).as("%s: connections", this).isGreaterThan(before);
  }
}
