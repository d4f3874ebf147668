package palmares.bench;

/** Receives the progress of a benchmark. */
public interface ProgressListener {
  /** Ignores all progress. */
  ProgressListener NONE =
      new ProgressListener() {
        @Override
        public Task begin(String task, long total) {
          return new Task() {
            @Override
            public void at(long done) {}

            @Override
            public void close() {}
          };
        }

        @Override
        public void report(String line) {}
      };

  /**
   * Begins a task.
   *
   * @param task its name, in a word or two
   * @param total number of units of work
   */
  Task begin(String task, long total);

  /** Reports an intermediate result. */
  void report(String line);

  /** A task; closing it ends it. */
  interface Task extends AutoCloseable {
    /** Reports the units of work done so far. */
    void at(long done);

    @Override
    void close();
  }
}
