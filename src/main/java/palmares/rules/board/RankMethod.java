package palmares.rules.board;

import palmares.platform.text.Choice;

/** Says how members with equal points share ranks. */
public enum RankMethod implements Choice {
  /** 1 2 3 4: time breaks ties, then the member's id. */
  UNIQUE,
  /** 1 2 2 4: equal points share the better rank, and the next rank is skipped. */
  COMPETITION,
  /** 1 2 2 3: equal points share a rank, and no rank is skipped. */
  DENSE;
}
