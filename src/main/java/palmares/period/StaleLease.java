package palmares.period;

/** Somebody else took the period over meanwhile: whoever gets this stops and changes nothing. */
public final class StaleLease extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StaleLease(Lease lease) {
    super("the lease %d on period %s is over".formatted(lease.fence(), lease.period()));
  }
}
