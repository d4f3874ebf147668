package palmares.bench;

/** The parts of the application that is measured, by their types. */
public interface Beans {
  /** The one part of that type. */
  <T> T get(Class<T> type);
}
