package palmares.cli.launch;

/** Starts the application. */
public interface Launcher {
  /**
   * @throws palmares.cli.terminal.Complaint if it does not start, with the reason and the remedy
   */
  Running start(Launch launch);
}
