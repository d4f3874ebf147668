package palmares.bench.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;

/** What requests are sent to. */
interface Target {
  /** A new connection, ready for requests. */
  Connection connect(Selector selector) throws IOException;

  /** Request {@code number} of a volley, as it goes over the wire. */
  ByteBuffer request(Volley volley, int number);
}
