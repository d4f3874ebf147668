package palmares.bench;

/** Is shown what goes on, and how far it has come. */
public interface ProgressListener {
  /** Shows nothing. */
  ProgressListener SILENT =
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
        public void say(String line) {}
      };

  /**
   * Begins a task.
   *
   * @param task what goes on, in a word or two
   * @param total how many units there are to do
   */
  Task begin(String task, long total);

  /** A line about what came out. */
  void say(String line);

  /** A task that goes on until it is closed. */
  interface Task extends AutoCloseable {
    /** So much is done. */
    void at(long done);

    @Override
    void close();
  }
}
