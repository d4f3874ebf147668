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

  @Option(names = "--by", paramLabel = "NAME", description = Actor.WHO)
  private @Nullable String by;

  /**
   * Whether a reason is given.
   *
   * @throws UserError if the reason or the name cannot be stored
   */
  boolean isGiven() {
    return reason != null && !reason().isEmpty() && !by().isEmpty();
  }

  String reason() {
    return Actor.checked("--reason", reason == null ? "" : reason);
  }

  String by() {
    return Actor.name(by);
  }
}
