package palmares.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@link Actor} of a command that changes something only with certain options. */
final class OptionalActor {
  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "The reason of a change, for the audit log.")
  private @Nullable String reason;

  /**
   * Whether a reason is given.
   *
   * @throws UserError if the reason cannot be stored
   */
  boolean isGiven() {
    return reason != null && !reason().isEmpty();
  }

  String reason() {
    return Actor.checked("--reason", reason == null ? "" : reason);
  }
}
