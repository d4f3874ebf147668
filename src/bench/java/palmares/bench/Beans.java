package palmares.bench;

/** The beans of the application under test. */
public interface Beans {
  /** The only bean of the type. */
  <T> T get(Class<T> type);
}
