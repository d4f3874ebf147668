package palmares.rules.catalogue;

import java.util.List;
import java.util.stream.Collectors;
import palmares.platform.form.Fault;

/** Board files that cannot be used: everything that is wrong with any of them. */
public final class BoardFilesException extends RuntimeException {
  private final transient List<Fault> faults;

  BoardFilesException(List<Fault> faults) {
    super(
        faults.stream()
            .map(Fault::toString)
            .collect(
                Collectors.joining(
                    "\n  ",
                    faults.size() == 1
                        ? "1 fault in the board files:\n  "
                        : faults.size() + " faults in the board files:\n  ",
                    "")));
    this.faults = List.copyOf(faults);
  }

  /** All of them, file by file, from the top down; never empty. */
  public List<Fault> faults() {
    return faults;
  }
}
