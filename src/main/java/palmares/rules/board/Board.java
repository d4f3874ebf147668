package palmares.rules.board;

import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import palmares.rules.adoption.Adoption;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.Slot;
import palmares.rules.payout.Payout;

/**
 * A leaderboard's rules, as one file in {@code jobs/} states them.
 *
 * @param id the file's name
 * @param title for people
 * @param zone where its days begin
 * @param calendar its periods
 * @param grace how long after a period's end its events may still arrive
 * @param clock whose time an event counts by
 * @param adoption how the keys of a team's own program are taken over; null if events come to us
 * @param actions what it counts, by name, in the file's order; none on an adopted board
 * @param scale what is measured, and how finely
 * @param ranks how equal points share places
 * @param payout what a settled period pays
 * @param tier its place in a family of boards; null if it is of none
 * @param durability when an event of it is acknowledged
 * @param invites what it makes of registrations; null if they do not concern it
 * @param retention how long after a period's end its live keys stay in Redis at the least
 * @param keptIds how many of the latest events' ids Redis keeps for a period; 0 for all of them
 * @param source the text of the file, and its hash
 */
public record Board(
    BoardId id,
    String title,
    ZoneId zone,
    Calendar calendar,
    Duration grace,
    BoardClock clock,
    @Nullable Adoption adoption,
    Map<String, Action> actions,
    Scale scale,
    RankMethod ranks,
    Payout payout,
    @Nullable Tier tier,
    Durability durability,
    @Nullable Invites invites,
    Period retention,
    long keptIds,
    BoardSource source) {

  public Board {
    actions = Collections.unmodifiableMap(new LinkedHashMap<>(actions));
  }

  /** How what a member holds stands in Redis in a period of this board. */
  public Layout layout(Slot slot) {
    return Layout.of(slot, grace, scale);
  }

  /**
   * The period of that name by the calendar alone: what a program that knows nothing of our periods
   * goes by. It differs from the slot where that bridges from an earlier calendar.
   */
  public Slot ownSlot(Slot slot) {
    return calendar.named(slot.name()).orElse(slot);
  }

  /** What ties take and points may take in the longest of its periods. */
  public BitBudget budget() {
    return BitBudget.of(calendar, grace, scale);
  }
}
