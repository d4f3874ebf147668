package palmares.settlement.reward;

/**
 * Somebody on a board of a test.
 *
 * @param ranked false for members behind all ranked ones, without a rank
 * @param excluded whether no prize may go there
 * @param registered whether in time
 * @param actions how often it did the action that a rule pays
 * @param late how many times more, too late and accepted
 */
record Entrant(
    String member,
    long points,
    boolean ranked,
    boolean excluded,
    boolean registered,
    long actions,
    long late) {

  static Entrant of(String member, long points) {
    return new Entrant(member, points, true, false, true, 0, 0);
  }

  Entrant unranked() {
    return new Entrant(member, points, false, false, registered, actions, late);
  }

  Entrant barred() {
    return new Entrant(member, points, ranked, true, registered, actions, late);
  }

  Entrant stranger() {
    return new Entrant(member, points, ranked, excluded, false, actions, late);
  }

  Entrant doing(long many, long tooLate) {
    return new Entrant(member, points, ranked, excluded, registered, many, tooLate);
  }
}
