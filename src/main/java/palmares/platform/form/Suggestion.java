package palmares.platform.form;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that an unknown word most resembles. */
public final class Suggestion {
  private Suggestion() {}

  /** The word at the least edit distance, which is at most a third of its letters, or two. */
  public static Optional<String> find(String word, Collection<String> words) {
    return words.stream()
        .filter(known -> distance(word, known) <= Math.max(2, known.length() / 3))
        .filter(known -> distance(word, known) < Math.max(word.length(), known.length()))
        .min(Comparator.comparingInt(known -> distance(word, known)));
  }

  /** The Levenshtein distance, ignoring case. */
  private static int distance(String one, String other) {
    var a = one.toLowerCase(Locale.ROOT);
    var b = other.toLowerCase(Locale.ROOT);
    if (Math.abs(a.length() - b.length()) > b.length()) {
      return Integer.MAX_VALUE;
    }
    var row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
