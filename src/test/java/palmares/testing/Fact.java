package palmares.testing;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import palmares.live.board.Event;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;

/** An event as a test describes it: {@code Fact.by("ann").does("like").on("post-1")}. */
public record Fact(
    String id,
    String member,
    String action,
    @Nullable String subject,
    boolean undo,
    long quantity,
    @Nullable Long value,
    @Nullable Long thenBy,
    @Nullable Instant at,
    @Nullable BoardId board) {
  private static final AtomicLong IDS = new AtomicLong();

  /** With an id that no other has. */
  public static Fact by(String member) {
    return new Fact(
        "e" + IDS.incrementAndGet(), member, "like", null, false, 1, null, null, null, null);
  }

  public Fact does(String other) {
    return new Fact(id, member, other, subject, undo, quantity, value, thenBy, at, board);
  }

  public Fact on(String other) {
    return new Fact(id, member, action, other, undo, quantity, value, thenBy, at, board);
  }

  public Fact times(long other) {
    return new Fact(id, member, action, subject, undo, other, value, thenBy, at, board);
  }

  /** On a board that takes values. */
  public Fact with(long other) {
    return new Fact(id, member, action, subject, undo, quantity, other, thenBy, at, board);
  }

  /** On a board with a second key. */
  public Fact then(long other) {
    return new Fact(id, member, action, subject, undo, quantity, value, other, at, board);
  }

  public Fact at(Instant other) {
    return new Fact(id, member, action, subject, undo, quantity, value, thenBy, other, board);
  }

  public Fact to(Board other) {
    return new Fact(id, member, action, subject, undo, quantity, value, thenBy, at, other.id());
  }

  public Fact named(String other) {
    return new Fact(other, member, action, subject, undo, quantity, value, thenBy, at, board);
  }

  /** Another fact that says the same. */
  public Fact again() {
    return named("e" + IDS.incrementAndGet());
  }

  /** Another fact, which takes this one back. */
  public Fact undone() {
    Fact again = again();
    return new Fact(again.id, member, action, subject, true, 1, null, null, at, board);
  }

  public Event event() {
    return new Event(
        id, new MemberId(member), action, subject, undo, quantity, value, thenBy, at, board);
  }
}
