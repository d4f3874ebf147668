package palmares.period;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The exclusive right of a process to work on a period.
 *
 * @param fence grows with every lease on the period; the database rejects writes with an old one
 * @param owner the process that holds it
 */
public record Lease(PeriodId period, long fence, String owner) {
  /** How this process signs its leases: host name and process id. */
  public static final String THIS_PROCESS = hostName() + ":" + ProcessHandle.current().pid();

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }
}
