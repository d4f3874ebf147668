package palmares.bench.write;

import java.util.Optional;
import palmares.period.Population;
import palmares.rules.calendar.Slot;

/** One way to write events, measured beside the others. */
interface Way {
  /**
   * Writes eventsOf into a day that nobody has written to yet.
   *
   * @param first the number of the first of them
   * @param events how many there are
   */
  SendResult write(Slot day, long first, int events) throws Exception;

  /** What the day holds by now, and is rid of; empty for a way that keeps nothing. */
  Optional<Population> collect(Slot day);
}
