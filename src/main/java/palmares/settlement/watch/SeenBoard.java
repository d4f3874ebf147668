package palmares.settlement.watch;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import palmares.settlement.watch.Move.Line;

/**
 * What a comparison leaves for the next one. It is stored with the facts of the comparison, so a
 * process that dies neither repeats nor forgets a move.
 *
 * @param exclusions the number of the board's list of exclusions
 * @param lines the watched places in the board's order
 * @param inside for each bound, the members that other systems know to be inside
 * @param full bounds of points that are not watched any more, because too many members may have
 *     reached them
 * @param passed by member, who was passed lately
 */
record SeenBoard(
    String exclusions,
    List<Line> lines,
    SortedMap<String, SortedSet<String>> inside,
    SortedSet<String> full,
    SortedMap<String, Passed> passed) {
  /** The time between two facts that a member was passed. */
  static final Duration PASSED_PAUSE = Duration.ofMinutes(1);

  /** A board without members, from which the first comparison of a period starts. */
  static final SeenBoard EMPTY =
      new SeenBoard("0", List.of(), new TreeMap<>(), new TreeSet<>(), new TreeMap<>());

  /**
   * A member who was passed.
   *
   * @param at when the last fact said so; null if none did
   * @param by who has passed the member since, of which no fact says so yet; null if nobody has
   * @param formerRank the member's rank before that; 0 if nobody has
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Passed(@Nullable Instant at, @Nullable String by, long formerRank) {
    boolean isDue(Instant now) {
      return at == null || !now.isBefore(at.plus(PASSED_PAUSE));
    }
  }

  /** When a fact may say next that somebody was passed; empty if nobody awaits one. */
  Optional<Instant> nextPassed() {
    return passed.values().stream()
        .filter(one -> one.by() != null)
        .map(one -> one.at() == null ? Instant.MIN : one.at().plus(PASSED_PAUSE))
        .min(Instant::compareTo);
  }
}
