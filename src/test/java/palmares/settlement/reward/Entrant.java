package palmares.settlement.reward;

import java.util.Map;

/**
 * Somebody on a board of a test.
 *
 * @param then the second key
 * @param ranked false for members behind all ranked ones, without a rank
 * @param excluded whether no prize may go there
 * @param registered whether in time
 * @param actions how often it did the action that a rule pays
 * @param late how many times more, too late and accepted
 * @param did how often it did each action, where there are several
 */
record Entrant(
    String member,
    long points,
    long then,
    boolean ranked,
    boolean excluded,
    boolean registered,
    long actions,
    long late,
    Map<String, Long> did) {

  static Entrant of(String member, long points) {
    return new Entrant(member, points, 0, true, false, true, 0, 0, Map.of());
  }

  Entrant unranked() {
    return new Entrant(member, points, then, false, false, registered, actions, late, did);
  }

  Entrant barred() {
    return new Entrant(member, points, then, ranked, true, registered, actions, late, did);
  }

  Entrant stranger() {
    return new Entrant(member, points, then, ranked, excluded, false, actions, late, did);
  }

  Entrant doing(long many, long tooLate) {
    return new Entrant(member, points, then, ranked, excluded, registered, many, tooLate, did);
  }

  Entrant doing(Map<String, Long> each) {
    return new Entrant(member, points, then, ranked, excluded, registered, actions, late, each);
  }

  Entrant then(long other) {
    return new Entrant(member, points, other, ranked, excluded, registered, actions, late, did);
  }

  long times(String action) {
    return did.getOrDefault(action, actions + late);
  }
}
