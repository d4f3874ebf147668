package palmares.testing;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import palmares.board.Board;
import palmares.board.BoardId;
import palmares.board.MemberId;
import palmares.intake.Event;

/** An event as a test tells it: {@code Fact.by("ann").does("like").on("post-1")}. */
public record Fact(
    String id,
    String member,
    String action,
    @Nullable String subject,
    boolean undo,
    long quantity,
    @Nullable Instant at,
    @Nullable BoardId board) {
  private static final AtomicLong IDS = new AtomicLong();

  /** With an id that no other has. */
  public static Fact by(String member) {
    return new Fact("e" + IDS.incrementAndGet(), member, "like", null, false, 1, null, null);
  }

  public Fact does(String other) {
    return new Fact(id, member, other, subject, undo, quantity, at, board);
  }

  public Fact on(String other) {
    return new Fact(id, member, action, other, undo, quantity, at, board);
  }

  public Fact times(long other) {
    return new Fact(id, member, action, subject, undo, other, at, board);
  }

  public Fact at(Instant other) {
    return new Fact(id, member, action, subject, undo, quantity, other, board);
  }

  public Fact to(Board other) {
    return new Fact(id, member, action, subject, undo, quantity, at, other.id());
  }

  public Fact named(String other) {
    return new Fact(other, member, action, subject, undo, quantity, at, board);
  }

  /** Another fact that says the same. */
  public Fact again() {
    return named("e" + IDS.incrementAndGet());
  }

  /** Another fact, which takes this one back. */
  public Fact undone() {
    Fact again = again();
    return new Fact(again.id, member, action, subject, true, 1, at, board);
  }

  public Event event() {
    return new Event(id, new MemberId(member), action, subject, undo, quantity, at, board);
  }
}
