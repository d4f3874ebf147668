package palmares.rules.boardfiles;

import java.util.List;
import java.util.stream.Collectors;
import palmares.platform.form.Faults.Fault;

/** Reports all faults of board files that cannot be used. */
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

  /** All faults, by file and line; never empty. */
  public List<Fault> faults() {
    return faults;
  }
}
