package palmares.bench.write;

/**
 * How much writing is measured.
 *
 * @param clients how many write at a time
 * @param events how many each way writes in a run; a multiple of {@code batch}
 * @param batch how many events a batch brings
 * @param runs how often it is measured; once more goes before, and does not count
 * @param seed what the events are drawn from
 */
public record Plan(int clients, int events, int batch, int runs, long seed) {
  private static final int MEMBERS = 100_000;

  /** Locks are so slow that a part of the events tells as much. */
  private static final int FEWER_LOCKED = 4;

  public Plan {
    if (clients < 1 || events < 1 || batch < 1 || runs < 1 || events % batch != 0) {
      throw new IllegalArgumentException("cannot be measured: " + this);
    }
  }

  Crowd crowd() {
    return new Crowd(seed, MEMBERS);
  }

  int locked() {
    return Math.max(1, events / FEWER_LOCKED);
  }
}
