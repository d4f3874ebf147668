package palmares.operations.forgetting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.MemberId;

/**
 * Makes pseudonyms. Lines that are equal in all else are in the order of their ids, so a pseudonym
 * has the same place in that order as the id that it replaces.
 */
final class Pseudonyms {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RANDOM_BYTES = 6;
  private static final String LETTERS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!~";

  private Pseudonyms() {}

  /**
   * Returns a random pseudonym between two ids by bytes; empty if there is none.
   *
   * @param above an id that it must follow by bytes; null for none
   * @param below an id that it must precede by bytes; null for none
   */
  static Optional<MemberId> between(@Nullable String above, @Nullable String below) {
    var random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    String name = "forgotten-" + HexFormat.of().formatHex(random);
    return Stream.of(Stream.of(""), beginnings(below), beginnings(above))
        .flatMap(starts -> starts)
        .map(start -> start + name)
        .filter(candidate -> above == null || isBefore(above, candidate))
        .filter(candidate -> below == null || isBefore(candidate, below))
        .filter(candidate -> candidate.getBytes(UTF_8).length <= MemberId.MAX_BYTES)
        .findFirst()
        .map(MemberId::new);
  }

  /** The beginnings of an id, the shortest first, each with one more letter or digit. */
  private static Stream<String> beginnings(@Nullable String id) {
    return id == null
        ? Stream.empty()
        : IntStream.rangeClosed(0, id.codePointCount(0, id.length()))
            .mapToObj(length -> id.substring(0, id.offsetByCodePoints(0, length)))
            .filter(start -> start.indexOf('\\') < 0)
            .flatMap(start -> LETTERS.chars().mapToObj(letter -> start + (char) letter));
  }

  private static boolean isBefore(String first, String second) {
    return Arrays.compareUnsigned(first.getBytes(UTF_8), second.getBytes(UTF_8)) < 0;
  }
}
