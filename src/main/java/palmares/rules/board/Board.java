package palmares.rules.board;

import java.time.Duration;
import java.time.Period;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Choice;
import palmares.rules.adoption.Adoption;
import palmares.rules.calendar.Calendar;
import palmares.rules.calendar.Slot;
import palmares.rules.payout.Payout;

/**
 * The rules of a leaderboard, as a file in {@code jobs/} states them.
 *
 * @param id the file's name without its extension
 * @param title for people
 * @param zone whose midnight begins the days
 * @param calendar of its periods
 * @param grace how long after a period's end its events are accepted
 * @param clock whose time an event counts by
 * @param kind where the points come from: events, or the keys of another program
 * @param actions by name, in the file's order; empty on an adopted board
 * @param scale of the points and ties
 * @param ranks how equal points share ranks
 * @param exclusionLists the names of the lists of members who are excluded from it
 * @param payout of a settled period
 * @param tier in a family of boards; null if the board is in none
 * @param durability when an event is acknowledged
 * @param invites how registrations count; null if they do not
 * @param watch which moves of members become facts; null if none do
 * @param retention how long after a period's end its live keys stay in Redis at least
 * @param keptIds how many ids of the latest events Redis keeps per period; 0 for all
 * @param isPublic whether everybody may read it, without signing in
 * @param source the text of the file, and its hash
 */
public record Board(
    BoardId id,
    String title,
    ZoneId zone,
    Calendar calendar,
    Duration grace,
    BoardClock clock,
    BoardKind kind,
    Map<String, Action> actions,
    Scale scale,
    RankMethod ranks,
    List<String> exclusionLists,
    Payout payout,
    @Nullable Tier tier,
    Durability durability,
    @Nullable Invites invites,
    @Nullable Watch watch,
    Period retention,
    long keptIds,
    boolean isPublic,
    BoardSource source) {
  public Board {
    exclusionLists = List.copyOf(exclusionLists);
    actions = Collections.unmodifiableMap(new LinkedHashMap<>(actions));
  }

  /**
   * How an adopted board is read.
   *
   * @throws IllegalStateException if events are counted
   */
  public Adoption adoption() {
    return kind.map(
        () -> {
          throw new IllegalStateException("the board '%s' is not adopted".formatted(id));
        },
        Function.identity());
  }

  /** The encoding of scores in Redis for a period of this board. */
  public Layout layout(Slot slot) {
    return Layout.of(slot, grace, scale);
  }

  /**
   * The period of that name by the calendar alone, which the program of an adopted board uses. It
   * differs from the slot if the slot bridges from an earlier calendar.
   */
  public Slot calendarSlot(Slot slot) {
    return calendar.named(slot.name()).orElse(slot);
  }

  /** What the lines of a settled period rest on. */
  public enum LineRule implements Choice {
    BOUNDARIES,
    MEASURE,
    ACTIONS,
    SCORES,
    RANKS
  }

  /** The first thing by which the lines themselves would differ, ranks aside; null if none. */
  public @Nullable LineRule firstDifference(Board other) {
    if (!calendar.equals(other.calendar) || !zone.equals(other.zone)) {
      return LineRule.BOUNDARIES;
    }
    if (!scale.equals(other.scale)) {
      return LineRule.MEASURE;
    }
    if (!actions.equals(other.actions)) {
      return LineRule.ACTIONS;
    }
    return kind.equals(other.kind) ? null : LineRule.SCORES;
  }

  /** The bit budget of the board's longest period. */
  public BitBudget budget() {
    return BitBudget.of(calendar, grace, scale);
  }

  /**
   * The text that a board was read from. A period closes under this text even if the file has
   * changed.
   *
   * @param text the whole file
   * @param hash SHA-256 of the UTF-8 bytes, as 64 hexadecimal digits
   */
  public record BoardSource(String text, String hash) {
    public static BoardSource of(String text) {
      return new BoardSource(text, Sha256.of(text));
    }
  }

  /** When an event is acknowledged. */
  public enum Durability implements Choice {
    /** After Redis has applied it. */
    FAST,
    /** After its commit in PostgreSQL, from where it is relayed to Redis. */
    COMMITTED;
  }

  /** Whose time an event counts by. */
  public enum BoardClock implements Choice {
    /** The Redis server's time when the event is applied. */
    SERVER,
    /** The event's own {@code occurredAt}. */
    EVENT;
  }

  /**
   * Says how a board counts registrations.
   *
   * @param action of the board, with which the inviter of a new member is credited
   * @param self how a registration with the member's own code is handled
   * @param unknownCode how a registration with an unknown code is handled
   * @param qualification what the invited member must do before the inviter is credited; null if
   *     the registration alone counts
   * @param review which inviters a person must look at before they are paid; null for none
   */
  public record Invites(
      String action,
      Policy self,
      Policy unknownCode,
      @Nullable Qualification qualification,
      @Nullable Review review) {
    /** Says how a registration is handled whose invite cannot count. */
    public enum Policy implements Choice {
      /** The registration is refused. */
      REFUSE,
      /** The registration is accepted without the invite. */
      IGNORE;
    }

    /**
     * Says what the invited member must do before the inviter is credited.
     *
     * @param board that counts the action; null for the board of the invites
     * @param action that the invited member must do
     * @param within how long after its registration
     * @param atLeast how many times, by the quantities of its events; at least 1
     * @param countedIn which period the credit counts in
     */
    public record Qualification(
        @Nullable BoardId board,
        String action,
        Duration within,
        long atLeast,
        CountedIn countedIn) {}

    /**
     * Says which inviters are flagged, by the credits of a period. What their lines are awarded is
     * withheld until a person releases it. Each number is 2 or more, and null for no limit; at
     * least one is given.
     *
     * @param chain the invites of a chain, in which each invited member has invited the next, from
     *     which on all of its inviters are flagged
     * @param sameAddress the members from one address by whose number their inviter is flagged
     * @param sameDevice the same for one device
     */
    public record Review(
        @Nullable Long chain, @Nullable Long sameAddress, @Nullable Long sameDevice) {}

    /** Says which period a credit counts in. */
    public enum CountedIn implements Choice {
      /** That of the event by which the invite qualified. */
      QUALIFYING,
      /** That of the registration. */
      REGISTRATION;

      public boolean isOfRegistration() {
        return this == REGISTRATION;
      }
    }
  }
}
