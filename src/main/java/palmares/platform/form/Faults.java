package palmares.platform.form;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Collects the faults of one file, so that all of them are reported together. */
public final class Faults {
  private final String file;
  private final List<Fault> faults = new ArrayList<>();

  public Faults(String file) {
    this.file = file;
  }

  public void add(int line, String field, Sentence said) {
    faults.add(new Fault(file, line, field, said));
  }

  public int count() {
    return faults.size();
  }

  /** All faults, ordered by line. */
  public List<Fault> all() {
    return faults.stream().sorted(Comparator.comparingInt(Fault::line)).toList();
  }

  /**
   * An error in a file.
   *
   * @param file the name of the file, or of the folder
   * @param line counted from 1; 0 if the fault concerns no particular line
   * @param field the path of the field, such as {@code rewards[1].ranks.2-3}, with list items
   *     counted from 1; empty if the fault concerns the whole file
   * @param said what is wrong and how to correct it; continues the field's path
   */
  public record Fault(String file, int line, String field, Sentence said) {
    /** One line, in the format that editors and terminals turn into a link. */
    public Sentence located() {
      var place = line == 0 ? file : file + ":" + line;
      return field.isEmpty()
          ? new FormSentences.OfFile(place, said)
          : new FormSentences.Of(place, field, said);
    }

    /** What is wrong, in English. */
    public String message() {
      return Texts.english(said);
    }

    @Override
    public String toString() {
      return Texts.english(located());
    }
  }
}
