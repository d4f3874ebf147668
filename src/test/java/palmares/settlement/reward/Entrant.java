package palmares.settlement.reward;

/**
 * Somebody on a board of a test.
 *
 * @param ranked false for who stands behind all ranked ones, without a rank
 * @param excluded whether no prize may go there
 * @param registered whether in time
 * @param deeds how many times it did the action that a rule pays
 * @param late how many times more, too late and accepted
 */
record Entrant(
    String member,
    long points,
    boolean ranked,
    boolean excluded,
    boolean registered,
    long deeds,
    long late) {

  static Entrant of(String member, long points) {
    return new Entrant(member, points, true, false, true, 0, 0);
  }

  Entrant unranked() {
    return new Entrant(member, points, false, false, registered, deeds, late);
  }

  Entrant barred() {
    return new Entrant(member, points, ranked, true, registered, deeds, late);
  }

  Entrant stranger() {
    return new Entrant(member, points, ranked, excluded, false, deeds, late);
  }

  Entrant doing(long many, long tooLate) {
    return new Entrant(member, points, ranked, excluded, registered, many, tooLate);
  }
}
