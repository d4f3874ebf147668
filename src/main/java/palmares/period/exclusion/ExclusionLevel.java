package palmares.period.exclusion;

import palmares.platform.text.Choice;

/**
 * Says how far a member is excluded. If several exclusions apply, the strongest level counts; the
 * SQL function {@code strength} orders them.
 */
public enum ExclusionLevel implements Choice {
  /** The member is not shown, ranked or paid. */
  HIDDEN,
  /** The member is shown behind all ranked members, without a rank, and is not paid. */
  UNRANKED,
  /** The member is ranked but not paid. The board decides whether its prize moves up or lapses. */
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

  static ExclusionLevel of(String word) {
    return Choice.of(ExclusionLevel.class, word);
  }
}
