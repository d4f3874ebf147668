package palmares.period.exclusion;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a member is excluded. Of several, the strongest counts: {@code strength} in SQL. */
public enum ExclusionLevel {
  /** Not shown, not ranked, not paid: as if it had never come. */
  HIDDEN,
  /** Shown behind all that are ranked, without a rank, and not paid. */
  UNRANKED,
  /** Ranked as anybody; its prize goes to nobody, or moves up, as the board says. */
  NO_PRIZE;

  /** Whether the member has a line on the board. */
  public boolean isShown() {
    return switch (this) {
      case HIDDEN -> false;
      case UNRANKED, NO_PRIZE -> true;
    };
  }

  /** Whether the member has a rank. */
  public boolean isRanked() {
    return switch (this) {
      case HIDDEN, UNRANKED -> false;
      case NO_PRIZE -> true;
    };
  }

  /** The name as the database and people spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The level of that name. */
  public static Optional<ExclusionLevel> find(String word) {
    return Arrays.stream(values()).filter(level -> level.word().equals(word)).findFirst();
  }

  static ExclusionLevel of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
