package palmares.period;

/** Reports that a lease was lost to another process. The work under it must stop. */
public final class StaleLease extends RuntimeException {
  StaleLease(Lease lease) {
    super(
        "lease %d on period %s is lost: another process has taken the period over"
            .formatted(lease.fence(), lease.period()));
  }
}
