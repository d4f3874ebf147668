package palmares.embedded;

import java.io.IOException;

/** On what terms this process has the servers. */
interface Tenure {
  boolean owns();

  void end() throws IOException;
}
