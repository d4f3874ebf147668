package palmares.cli.bench;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Sizes of boards that a command measures one after the other. */
final class Sizes {
  private Sizes() {}

  /**
   * Requires each to be 1 or more, and named once.
   *
   * @throws ParameterException if one is not
   */
  static void require(CommandSpec spec, List<Long> members) {
    for (long size : members) {
      if (size < 1) {
        throw new ParameterException(spec.commandLine(), "--members is 1 or more, not " + size);
      }
      if (members.indexOf(size) != members.lastIndexOf(size)) {
        throw new ParameterException(
            spec.commandLine(), "--members names %d twice".formatted(size));
      }
    }
  }

  /** One number, or several in one word. */
  static Object told(List<Long> members) {
    return members.size() == 1
        ? members.get(0)
        : members.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
