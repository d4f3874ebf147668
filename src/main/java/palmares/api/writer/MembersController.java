package palmares.api.writer;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Problem;
import palmares.api.http.ProblemException;
import palmares.api.http.RequestBody;
import palmares.live.intake.EventOrigin;
import palmares.live.intake.Refusal;
import palmares.live.intake.RefusalReason;
import palmares.live.member.Activity;
import palmares.live.member.InvitePolicy;
import palmares.live.member.Members;
import palmares.live.member.Registration;
import palmares.live.member.RegistrationRefused;
import palmares.rules.board.MemberId;

/** Registers members, and tells holders of keys about them. */
@RestController
@RequestMapping("/api/v1/members")
class MembersController {
  private static final int MOST_BYTES = 64 << 10;
  private static final int MOST_DEEDS = 1_000;

  private final Members members;
  private final InvitePolicy invitePolicy;
  private final Activity activity;
  private final KeyRing keys;
  private final Clock clock;

  MembersController(
      Members members, InvitePolicy invitePolicy, Activity activity, KeyRing keys, Clock clock) {
    this.members = members;
    this.invitePolicy = invitePolicy;
    this.activity = activity;
    this.keys = keys;
    this.clock = clock;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<MemberView> register(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String key,
      InputStream body,
      HttpServletRequest request)
      throws IOException {
    requireAllBoards(keys.require(key, request.getRemoteAddr()));
    Registration registration =
        RegistrationReader.registration(RequestBody.readAll(MOST_BYTES, body));
    try {
      Members.Registered registered = members.register(registration);
      return ResponseEntity.status(registered.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
          .body(MemberView.registered(registered.profile()));
    } catch (RegistrationRefused refused) {
      throw new ProblemException(problem(refused.reason()), String.valueOf(refused.getMessage()));
    }
  }

  @GetMapping("/{member}")
  MemberView member(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String key,
      @PathVariable String member,
      HttpServletRequest request) {
    keys.require(key, request.getRemoteAddr());
    return members
        .find(id(member))
        .map(MemberView::of)
        .orElseThrow(
            () ->
                new ProblemException(
                    Problem.UNKNOWN_MEMBER, "no member '%s' has registered".formatted(member)));
  }

  @GetMapping("/{member}/activity")
  ActivityView activity(
      @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) @Nullable String key,
      @PathVariable String member,
      @RequestParam(defaultValue = "31") int days,
      @RequestParam(defaultValue = "100") int count,
      HttpServletRequest request) {
    keys.require(key, request.getRemoteAddr());
    MemberId id = id(member);
    requireWithin("days", days, Activity.MAX_DAYS);
    requireWithin("count", count, MOST_DEEDS);
    return new ActivityView(member, clock.instant(), activity.of(id, days, count));
  }

  /** A credit that one board did not get is lost to it for ever, so a key writes all or none. */
  private void requireAllBoards(ApiKey key) {
    var origin = new EventOrigin.Api(key.boards());
    if (!invitePolicy.boards().stream().allMatch(origin::mayWrite)) {
      throw new ProblemException(
          Problem.FORBIDDEN,
          "registering needs a key that may write every board that counts invites");
    }
  }

  private static Problem problem(RegistrationRefused.Reason reason) {
    return switch (reason) {
      case ALREADY_REGISTERED -> Problem.ALREADY_REGISTERED;
      case MEMBER_TAKEN -> Problem.MEMBER_TAKEN;
      case UNKNOWN_CODE -> Problem.UNKNOWN_CODE;
      case SELF_INVITE -> Problem.SELF_INVITE;
    };
  }

  private static MemberId id(String member) {
    try {
      return new MemberId(member);
    } catch (IllegalArgumentException e) {
      throw new Refusal(RefusalReason.INVALID_FIELD, String.valueOf(e.getMessage()));
    }
  }

  private static void requireWithin(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new Refusal(
          RefusalReason.INVALID_FIELD,
          "'%s' is a number from 1 to %d, not %d".formatted(name, most, value));
    }
  }
}
