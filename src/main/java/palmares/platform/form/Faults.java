package palmares.platform.form;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Gathers what is wrong in one file, so that all of it can be told at once. */
public final class Faults {
  private final String file;
  private final List<Fault> found = new ArrayList<>();

  public Faults(String file) {
    this.file = file;
  }

  public void add(int line, String field, String message) {
    found.add(new Fault(file, line, field, message));
  }

  public int count() {
    return found.size();
  }

  /** What was found, from the top of the file down. */
  public List<Fault> all() {
    return found.stream().sorted(Comparator.comparingInt(Fault::line)).toList();
  }
}
