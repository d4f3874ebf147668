package palmares.live.member;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import palmares.live.board.Event;
import palmares.live.intake.InviteCredits;
import palmares.live.intake.InviteCredits.Registered;
import palmares.rules.board.Board;
import palmares.rules.board.Board.Invites;
import palmares.rules.board.Board.Invites.Policy;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import palmares.rules.boardfiles.Catalogue;

/**
 * Applies what the boards say about invites: which registrations are refused, and what the inviter
 * gets. If boards differ, the strictest one decides.
 */
@Component
public class InvitePolicy {
  private final Catalogue catalogue;
  private final InviteCredits credits;

  InvitePolicy(Catalogue catalogue, InviteCredits credits) {
    this.catalogue = catalogue;
    this.credits = credits;
  }

  /** Returns the boards on which a registration may credit an inviter. */
  public List<BoardId> boards() {
    List<String> actions = actions();
    return catalogue.all().stream()
        .filter(board -> actions.stream().anyMatch(board.actions()::containsKey))
        .map(Board::id)
        .toList();
  }

  /** Whether the lines of a board have the nicknames of registered members. */
  public boolean showsNicknames(BoardId board) {
    return catalogue.find(board).filter(rules -> rules.invites() != null).isPresent();
  }

  boolean refusesSelfInvite() {
    return refuses(Invites::self);
  }

  boolean refusesUnknownCode() {
    return refuses(Invites::unknownCode);
  }

  /** Also refuses if no board counts invites, as the invite code must be a mistake then. */
  private boolean refuses(Function<Invites, Policy> policy) {
    return invites().findAny().isEmpty()
        || invites().map(policy).anyMatch(each -> each == Policy.REFUSE);
  }

  /** Returns what credits the inviter on every board that counts invites, now or later. */
  Registered credits(MemberId inviter, MemberId newcomer, Instant now) {
    var routed =
        actions().stream()
            .map(action -> credits.route(event(action, inviter, newcomer, now)))
            .toList();
    return new Registered(
        routed.stream().flatMap(each -> each.credits().stream()).toList(),
        routed.stream().flatMap(each -> each.terms().stream()).toList());
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

  /** The actions that credit an inviter. */
  List<String> actions() {
    return invites().map(Invites::action).distinct().sorted().toList();
  }

  private Stream<Invites> invites() {
    return catalogue.all().stream().map(Board::invites).filter(Objects::nonNull);
  }
}
