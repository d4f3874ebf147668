package palmares.bench.seeding;

import java.time.Instant;
import java.util.function.Consumer;

/**
 * One event of a seeded period.
 *
 * @param seq its number among the period's events, from 1
 * @param id as a sender would name it: after whose it is
 * @param quantity how many invitations it brought, each worth one point
 * @param total the member's points after it
 */
record Invitation(
    long seq,
    String id,
    String member,
    int quantity,
    int total,
    Instant occurredAt,
    String digest) {
  static final String ACTION = "invite";
  static final String OUTCOME = "applied";

  /** How many events a member has at the most: all first ones come before all second ones. */
  static final int ROUNDS = 2;

  /**
   * The events of one round, in the order of their numbers.
   *
   * @param round 0 or 1
   */
  static void each(SeededPeriod seeded, int round, Consumer<Invitation> consumer) {
    Crowd crowd = seeded.crowd();
    long first = seeded.firstTick();
    long ticks = seeded.ticks();
    long seq = round == 0 ? 0 : crowd.members();
    for (long n = 0; n < crowd.members(); n++) {
      if (round < crowd.events(n)) {
        int quantity = crowd.invites(n, round);
        Instant at = seeded.resolution().instant(first + crowd.time(n, round, ticks));
        int total = round == 0 ? quantity : crowd.invites(n);
        String member = crowd.member(n);
        String id = member + "-" + round;
        String digest = crowd.digest(n, round);
        consumer.accept(new Invitation(++seq, id, member, quantity, total, at, digest));
      }
    }
  }
}
