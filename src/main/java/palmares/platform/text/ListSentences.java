package palmares.platform.text;

import java.util.List;

/** Lists of texts or sentences, of which a long one names the first only. */
public interface ListSentences {
  record All(List<?> all) implements Sentence {}

  /**
   * @param first are joined as words are
   * @param more how many others there are
   */
  record First(List<?> first, long more) implements Sentence {}

  /** As {@link First}, each on a line. */
  record FirstLines(List<?> first, long more) implements Sentence {}

  record Lines(List<?> all) implements Sentence {}

  /** Rows that a table leaves out. */
  record MoreRows(long more) implements Sentence {}

  /** The heading of a column with what a rule awards. */
  record AwardOf(String rule) implements Sentence {}

  /** Names a number of them at most. */
  static Sentence first(List<?> all, int most) {
    return all.size() <= most
        ? new All(all)
        : new First(all.subList(0, most), (long) all.size() - most);
  }

  /** As {@link #first}, each on a line; one sentence is said as it is. */
  static Sentence lines(List<? extends Sentence> all, int most) {
    if (all.size() == 1) {
      return all.get(0);
    }
    return all.size() <= most
        ? new Lines(all)
        : new FirstLines(all.subList(0, most), (long) all.size() - most);
  }
}
