package palmares.platform.embedded;

import java.io.IOException;
import java.util.List;

/** On what terms this process has the servers. */
interface ServerAccess {
  boolean owns();

  /** Starts again what has died, if it is this process's; names it. */
  List<String> revive() throws IOException;

  void end() throws IOException;
}
