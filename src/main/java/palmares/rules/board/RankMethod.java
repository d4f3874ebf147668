package palmares.rules.board;

import java.util.Locale;

/** How members with equal points share places. */
public enum RankMethod {
  /** 1 2 3 4: time breaks ties, then the member's id. */
  UNIQUE,
  /** 1 2 2 4: equal points share the better place, and the next places stay empty. */
  COMPETITION,
  /** 1 2 2 3: equal points share a place, and no place stays empty. */
  DENSE;

  /** The name as board files spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
