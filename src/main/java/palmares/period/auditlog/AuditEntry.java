package palmares.period.auditlog;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.rules.board.BoardId;
import palmares.rules.calendar.PeriodName;

/**
 * Says what a person did, and why.
 *
 * @param by the person's name; never blank
 * @param verb as the command is called; what it did is the word {@code audit.VERB} of a language
 * @param board null if it concerns all boards
 * @param period the name of the period; null if it concerns no single one
 * @param revision null if it concerns no single one
 * @param member null if it concerns no single one
 * @param reason in the person's own words; null if there are none, never blank
 * @param details what else was done to what
 */
public record AuditEntry(
    String by,
    String verb,
    @Nullable String board,
    @Nullable String period,
    @Nullable Integer revision,
    @Nullable String member,
    @Nullable String reason,
    AuditDetails details) {
  /** The longest reason of a person that is stored, in characters of Unicode. */
  public static final int MAX_REASON_LENGTH = 500;

  /** The details that name an object, in the order in which they are shown. */
  private static final List<String> OBJECTS =
      List.of("person", "key", "list", "batch", "target", "entry");

  public AuditEntry {
    if (by.isBlank() || reason != null && reason.isBlank()) {
      throw new IllegalArgumentException("an audit entry needs a name, and has no blank reason");
    }
  }

  /** An entry without details. */
  public AuditEntry(
      String by,
      String verb,
      @Nullable String board,
      @Nullable String period,
      @Nullable Integer revision,
      @Nullable String member,
      @Nullable String reason) {
    this(by, verb, board, period, revision, member, reason, AuditDetails.NONE);
  }

  /** An entry about no board. */
  public static AuditEntry of(String by, String verb, @Nullable String reason) {
    return new AuditEntry(by, verb, null, null, null, null, reason);
  }

  /** An entry about a period as a whole. */
  public static AuditEntry of(
      BoardId board, PeriodName period, String by, String verb, @Nullable String reason) {
    return new AuditEntry(by, verb, board.value(), period.value(), null, null, reason);
  }

  /** The same with one more detail, as {@link AuditDetails#with} adds it. */
  public AuditEntry with(String name, @Nullable Object value) {
    return with(AuditDetails.NONE.with(name, value));
  }

  /** The same with further details. */
  public AuditEntry with(AuditDetails more) {
    return new AuditEntry(by, verb, board, period, revision, member, reason, details.with(more));
  }

  /** What it is about: the board, period, revision and member, or else what its details name. */
  public String object() {
    return Stream.concat(
            Stream.of(board, period, revision == null ? null : "revision " + revision, member),
            OBJECTS.stream().map(name -> details.named(name)))
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }

  /**
   * Returns a reason without blanks around it, whose lines end with a line feed, as forms end them
   * otherwise. Empty if it cannot be stored: it has 1 to 500 characters, none of them a control
   * character but line feeds, or half of a surrogate pair.
   */
  public static Optional<String> storableReason(String text) {
    return Optional.of(text.strip().replace("\r\n", "\n"))
        .filter(
            stripped ->
                !stripped.isEmpty()
                    && stripped.codePointCount(0, stripped.length()) <= MAX_REASON_LENGTH
                    && stripped.codePoints().allMatch(AuditEntry::isStorable));
  }

  private static boolean isStorable(int character) {
    boolean half = Character.getType(character) == Character.SURROGATE;
    return character == '\n' || !half && !Character.isISOControl(character);
  }
}
