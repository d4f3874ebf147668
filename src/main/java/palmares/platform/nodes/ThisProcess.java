package palmares.platform.nodes;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Names this process in leases, heartbeats and log lines. */
public final class ThisProcess {
  /** Host name and process id. */
  public static final String NAME = hostName() + ":" + ProcessHandle.current().pid();

  /** How it names itself to PostgreSQL, which keeps 63 bytes of that. */
  public static final String APPLICATION = "palmares " + NAME;

  private ThisProcess() {}

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }
}
