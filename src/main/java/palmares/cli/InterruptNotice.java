package palmares.cli;

import palmares.cli.terminal.Terminal;

/** What somebody reads who stops a command in the middle. */
final class InterruptNotice {
  private final Thread hook;

  InterruptNotice(Terminal terminal) {
    hook =
        new Thread(
            () ->
                terminal.note(
                    "\npalmares: stopped; run the same command again to bring the rest, nothing is"
                        + " applied twice"));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The command has come to its end. */
  void drop() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // Stopped at the last moment: the notice has been given.
    }
  }
}
