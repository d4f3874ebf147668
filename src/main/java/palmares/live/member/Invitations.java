package palmares.live.member;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import palmares.live.intake.Event;
import palmares.live.intake.InviteCredits;
import palmares.live.relay.RelayedEvent;
import palmares.rules.board.Board;
import palmares.rules.board.BoardId;
import palmares.rules.board.Invites;
import palmares.rules.board.Invites.Policy;
import palmares.rules.board.MemberId;
import palmares.rules.catalogue.Catalogue;

/** What the boards in force make of invites. Where they differ, the stricter one holds. */
@Component
public class Invitations {
  private final Catalogue catalogue;
  private final InviteCredits credits;

  Invitations(Catalogue catalogue, InviteCredits credits) {
    this.catalogue = catalogue;
    this.credits = credits;
  }

  /** The boards that a registration may change. */
  public List<BoardId> boards() {
    List<String> actions = actions();
    return catalogue.all().stream()
        .filter(board -> actions.stream().anyMatch(board.actions()::containsKey))
        .map(Board::id)
        .toList();
  }

  boolean refuseSelf() {
    return refuse(Invites::self);
  }

  boolean refuseUnknownCode() {
    return refuse(Invites::unknownCode);
  }

  /** If no board says anything, too: a code that nobody has is a mistake of its sender. */
  private boolean refuse(Function<Invites, Policy> policy) {
    return invites().findAny().isEmpty()
        || invites().map(policy).anyMatch(said -> said == Policy.REFUSE);
  }

  /** What brings the inviter its points, on every board that counts invites. */
  List<RelayedEvent> credits(MemberId inviter, MemberId newcomer, Instant now) {
    return actions().stream()
        .map(action -> event(action, inviter, newcomer, now))
        .flatMap(event -> credits.route(event).stream())
        .toList();
  }

  private static Event event(String action, MemberId inviter, MemberId newcomer, Instant now) {
    return new Event(
        InviteCredits.PREFIX + action + ":" + newcomer,
        inviter,
        action,
        newcomer.value(),
        false,
        1,
        null,
        null,
        now,
        null);
  }

  private List<String> actions() {
    return invites().map(Invites::action).distinct().sorted().toList();
  }

  private Stream<Invites> invites() {
    return catalogue.all().stream().map(Board::invites).filter(Objects::nonNull);
  }
}
