package palmares.rules.boardfiles;

import java.util.List;
import palmares.platform.form.Faults.Fault;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Reports all faults of board files that cannot be used. */
public final class BoardFilesException extends RuntimeException implements Saying {
  /** What a person reads at once; corrected, others follow. */
  private static final int MAX_SAID = 100;

  private final transient List<Fault> faults;

  BoardFilesException(List<Fault> faults) {
    this.faults = List.copyOf(faults);
  }

  /** All faults, by file and line; never empty. */
  public List<Fault> faults() {
    return faults;
  }

  @Override
  public Sentence said() {
    return new BoardFileSentences.Faulty(
        faults.size(), faults.stream().limit(MAX_SAID).map(Fault::located).toList());
  }

  /** Returns all faults in English. */
  @Override
  public String getMessage() {
    return Texts.english(said());
  }
}
