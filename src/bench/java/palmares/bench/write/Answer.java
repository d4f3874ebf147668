package palmares.bench.write;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Tells when the answer to a request is whole, from what has come of it. */
interface Answer {
  /** A request was sent: its answer comes next. */
  void begin(int events);

  /**
   * Takes what has come and can be read by now.
   *
   * @param in to be read; what is left of it is there again the next time, before what comes then
   * @return whether the answer is whole
   * @throws IOException if it is a refusal
   */
  boolean take(ByteBuffer in) throws IOException;
}
