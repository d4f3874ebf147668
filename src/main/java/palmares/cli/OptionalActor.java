package palmares.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** As {@link Actor}, of a command that only now and then changes something. */
final class OptionalActor {
  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why something is changed, in your own words: kept for ever.")
  private @Nullable String reason;

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Who does it (default: the user of this shell).")
  private @Nullable String by;

  /** Whether a reason is given; one that cannot be kept is refused at once. */
  boolean says() {
    return reason != null && !reason().isEmpty() && !by().isEmpty();
  }

  String reason() {
    return Actor.checked("--reason", reason == null ? "" : reason);
  }

  String by() {
    return Actor.name(by);
  }
}
