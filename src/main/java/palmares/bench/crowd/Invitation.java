package palmares.bench.crowd;

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

  /** All events of a period in the order of their numbers: first ones, then second ones. */
  static void each(Ground ground, Consumer<Invitation> consumer) {
    Crowd crowd = ground.crowd();
    long first = ground.firstTick();
    long ticks = ground.ticks();
    long seq = 0;
    for (int event = 0; event < 2; event++) {
      for (long n = 0; n < crowd.members(); n++) {
        if (event < crowd.events(n)) {
          int quantity = crowd.invites(n, event);
          Instant at = ground.resolution().instant(first + crowd.time(n, event, ticks));
          int total = event == 0 ? quantity : crowd.invites(n);
          String member = crowd.member(n);
          consumer.accept(
              new Invitation(
                  ++seq,
                  member + "-" + event,
                  member,
                  quantity,
                  total,
                  at,
                  crowd.digest(n, event)));
        }
      }
    }
  }
}
