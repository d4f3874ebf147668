package palmares.platform.time;

/** The clock of this machine, which only serves to compare it with the database server's. */
@FunctionalInterface
public interface MachineClock {
  /** Milliseconds since 1970. */
  long millis();
}
