package palmares.bench.seeding;

import java.time.Instant;
import java.util.function.Consumer;

/**
 * An event of a seeded period.
 *
 * @param seq its number in the period, from 1
 * @param id the sender's id of the event
 * @param quantity number of invitations, each worth one point
 * @param total the member's points after the event
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

  /** Maximum number of a member's events. All first events come before all second ones. */
  static final int ROUNDS = 2;

  /**
   * Passes on all first or all second events, in the order of their numbers.
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
