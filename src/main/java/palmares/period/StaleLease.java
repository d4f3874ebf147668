package palmares.period;

import palmares.platform.Refusal;

/** Reports that a lease was lost to another process. The work under it must stop. */
public final class StaleLease extends Refusal {
  StaleLease(Lease lease) {
    super(
        Reason.PERIOD_BUSY,
        "lease %d on period %s is lost: another process has taken the period over"
            .formatted(lease.fence(), lease.period()));
  }
}
