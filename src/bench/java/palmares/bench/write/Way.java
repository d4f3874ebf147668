package palmares.bench.write;

import java.util.Optional;
import palmares.period.Population;
import palmares.rules.calendar.Slot;

/** A way to write events. */
interface Way {
  /**
   * Writes events to an empty day.
   *
   * @param first number of the first event
   * @param events number of events
   */
  SendResult write(Slot day, long first, int events) throws Exception;

  /**
   * Counts what the day holds, and deletes it.
   *
   * @return empty if this way stores nothing
   */
  Optional<Population> collect(Slot day);
}
