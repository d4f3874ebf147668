package palmares.platform.form;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the faults of one file, so that all of them are reported together. */
public final class Faults {
  private final String file;
  private final List<Fault> faults = new ArrayList<>();

  public Faults(String file) {
    this.file = file;
  }

  public void add(int line, String field, String message) {
    faults.add(new Fault(file, line, field, message));
  }

  public int count() {
    return faults.size();
  }

  /** All faults, ordered by line. */
  public List<Fault> all() {
    return faults.stream().sorted(Comparator.comparingInt(Fault::line)).toList();
  }
}
