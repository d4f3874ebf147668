package palmares.period;

import palmares.period.Leases.StaleLease;

/**
 * Renews a lease during long work. It is called between batches, as often as there are batches.
 *
 * @param leases renews the lease, unless that was done a moment ago
 * @param lease the lease of the work
 */
public record Heartbeat(Leases leases, Lease lease) implements Runnable {
  /**
   * Renews the lease.
   *
   * @throws StaleLease if another process has taken the period over; the work must stop
   */
  @Override
  public void run() {
    leases.renew(lease);
  }
}
