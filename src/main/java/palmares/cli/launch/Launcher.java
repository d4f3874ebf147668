package palmares.cli.launch;

/** Starts the application. */
public interface Launcher {
  /**
   * @throws palmares.cli.terminal.UserError if it does not start, with the reason and the remedy
   */
  RunningApplication start(LaunchOptions launch);

  /** The user of the shell, who acts. */
  default String user() {
    return ShellUser.name();
  }
}
