package palmares.period;

/** Signals that long work on a period goes on, so that its lease does not run out. */
@FunctionalInterface
public interface Heartbeat {
  /** For work that needs no lease. */
  Heartbeat NONE = () -> {};

  /** The heartbeat of the holder of a lease: it renews the lease. */
  static Heartbeat of(Leases leases, Lease lease) {
    return () -> leases.renew(lease);
  }

  /**
   * Is called between the batches of long work, as often as there are batches.
   *
   * @throws StaleLease if another process has taken the period over; the work must stop
   */
  void beat();
}
