package palmares.period;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** How this process signs the leases that it takes: host and process. */
public final class LeaseOwner {
  public static final String NAME = host() + ":" + ProcessHandle.current().pid();

  private LeaseOwner() {}

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }
}
