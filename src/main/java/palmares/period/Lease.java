package palmares.period;

import palmares.platform.nodes.ThisProcess;

/**
 * The exclusive right of a process to work on a period.
 *
 * @param fence grows with every lease on the period; the database rejects writes with an old one
 * @param owner the process that holds it
 */
public record Lease(PeriodId period, long fence, String owner) {
  /** How this process signs its leases. */
  public static final String THIS_PROCESS = ThisProcess.NAME;
}
