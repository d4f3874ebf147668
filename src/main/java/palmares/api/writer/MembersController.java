package palmares.api.writer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Operation;
import palmares.api.http.RequestBody;
import palmares.api.reader.ParameterLimits;
import palmares.api.roles.Caller;
import palmares.api.roles.PersonalData;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.board.LiveMembers;
import palmares.live.intake.EventRefusal;
import palmares.live.intake.RefusalReason;
import palmares.live.intake.StrictJson;
import palmares.live.member.Activity;
import palmares.live.member.ExternalId;
import palmares.live.member.InvitePolicy;
import palmares.live.member.MemberSentences;
import palmares.live.member.Members;
import palmares.live.member.Members.Profile;
import palmares.live.member.Registration;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.rules.board.MemberId;
import tools.jackson.databind.JsonNode;

/** Registers members, and returns their profiles and recent activity. */
@RestController
@RequestMapping("/api/v1/members")
class MembersController {
  /** What is wrong with a registration; no sentence repeats a value, which may be personal. */
  interface RegistrationSentences {
    record NoObject() implements Sentence {}

    record UnknownField(List<String> fields) implements Sentence {}

    record MissingField(String field) implements Sentence {}

    record NotText(String field) implements Sentence {}
  }

  private static final Set<String> REGISTRATION_FIELDS =
      Set.of("externalId", "nickname", "inviteCode", "member", "address", "device");

  private static final int MAX_BODY_BYTES = 64 << 10;
  private static final int MAX_ACTIVITY_ENTRIES = 1_000;

  private final Members members;
  private final InvitePolicy invitePolicy;
  private final Activity activity;
  private final LiveMembers liveMembers;
  private final KnownMembers knownMembers;
  private final Clock clock;

  MembersController(
      Members members,
      InvitePolicy invitePolicy,
      Activity activity,
      LiveMembers liveMembers,
      KnownMembers knownMembers,
      Clock clock) {
    this.members = members;
    this.invitePolicy = invitePolicy;
    this.activity = activity;
    this.liveMembers = liveMembers;
    this.knownMembers = knownMembers;
    this.clock = clock;
  }

  @Operation("register")
  @Requires(value = Role.WRITER, checksBoards = true)
  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<MemberView> register(InputStream body) throws IOException {
    requireAllBoards(Caller.get());
    Registration registration = registration(RequestBody.readAll(MAX_BODY_BYTES, body));
    Members.Registered registered = members.register(registration);
    return ResponseEntity.status(registered.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
        .body(MemberView.registered(registered.profile()));
  }

  @Operation("member")
  @Requires(
      value = {Role.READER, Role.WRITER},
      checksBoards = true)
  @GetMapping("/{member}")
  MemberView member(@PathVariable String member) {
    Caller caller = Caller.get();
    MemberId id = ParameterLimits.member(member);
    var visible = PersonalData.visibleTo(caller, invitePolicy::showsNicknames);
    return members
        .find(id)
        .filter(profile -> visible != PersonalData.ID || isOnBoards(caller, id))
        .map(profile -> MemberView.of(profile, visible))
        .orElseThrow(
            () -> new Refusal(Problem.UNKNOWN_MEMBER, new MemberSentences.NotRegistered(member)));
  }

  /** Whether a member is on a board of a caller who knows nothing of other boards. */
  private boolean isOnBoards(Caller caller, MemberId member) {
    return caller.boards().stream().anyMatch(board -> knownMembers.knowsOn(board, member))
        || liveMembers.isOnLiveBoard(member, caller::mayUse);
  }

  @Operation("activity")
  @Requires({Role.READER, Role.WRITER})
  @GetMapping("/{member}/activity")
  ActivityView activity(
      @PathVariable String member,
      @RequestParam(defaultValue = "31") int days,
      @RequestParam(defaultValue = "100") int count) {
    MemberId id = ParameterLimits.member(member);
    ParameterLimits.within("days", days, 1, Activity.MAX_DAYS);
    ParameterLimits.count(count, MAX_ACTIVITY_ENTRIES);
    return new ActivityView(member, clock.instant(), activity.of(id, days, count));
  }

  /** The inviter is credited on all boards or on none, as credits cannot be made up for later. */
  private void requireAllBoards(Caller caller) {
    if (!invitePolicy.boards().stream().allMatch(caller::mayUse)) {
      throw new Refusal(Problem.FORBIDDEN, new MemberSentences.NotOnAllBoards());
    }
  }

  /**
   * Parses a registration strictly. No message repeats values of the body, as they may be personal.
   *
   * @throws EventRefusal if the text is not a registration
   */
  private static Registration registration(byte[] text) {
    JsonNode body = body(text);
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      if (!REGISTRATION_FIELDS.contains(field.getKey())) {
        throw new EventRefusal(
            RefusalReason.UNKNOWN_FIELD,
            new RegistrationSentences.UnknownField(REGISTRATION_FIELDS.stream().sorted().toList()));
      }
    }
    String externalId = required(body, "externalId");
    String nickname = required(body, "nickname");
    String inviteCode = optional(body, "inviteCode");
    String member = optional(body, "member");
    try {
      return new Registration(
          new ExternalId(externalId),
          nickname,
          inviteCode,
          member == null ? null : new MemberId(member),
          optional(body, "address"),
          optional(body, "device"));
    } catch (InvalidValue e) {
      throw new EventRefusal(RefusalReason.INVALID_FIELD, e.said());
    }
  }

  private static JsonNode body(byte[] text) {
    JsonNode body = StrictJson.value(text);
    if (!body.isObject()) {
      throw new EventRefusal(RefusalReason.MALFORMED, new RegistrationSentences.NoObject());
    }
    return body;
  }

  private static String required(JsonNode body, String field) {
    String text = optional(body, field);
    if (text == null) {
      throw new EventRefusal(
          RefusalReason.MISSING_FIELD, new RegistrationSentences.MissingField(field));
    }
    return text;
  }

  private static @Nullable String optional(JsonNode body, String field) {
    JsonNode node = body.get(field);
    if (node == null || node.isNull()) {
      return null;
    }
    if (!node.isString()) {
      throw new EventRefusal(RefusalReason.INVALID_FIELD, new RegistrationSentences.NotText(field));
    }
    return node.stringValue();
  }

  /**
   * The JSON form of a member.
   *
   * @param nickname null for keys that are limited to boards that count no invites
   * @param inviteCode null for readers, writers and keys that are limited to boards, except in the
   *     response to a registration
   * @param externalId masked; null as the invite code
   * @param inviter null if it was not invited, or as the invite code
   * @param invites number of members that it has invited; null as the nickname, and in the response
   *     to a registration
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record MemberView(
      String member,
      @Nullable String nickname,
      @Nullable String inviteCode,
      @Nullable String externalId,
      @Nullable String inviter,
      @Nullable Long invites,
      Instant registeredAt) {

    static MemberView of(Profile profile, PersonalData visible) {
      return switch (visible) {
        case ID -> publicly(profile, null, null);
        case NICKNAME -> publicly(profile, profile.nickname(), profile.invites());
        case ALL -> whole(profile, profile.invites());
      };
    }

    /** Leaves out invites, so that a repeated registration gets the same response. */
    static MemberView registered(Profile profile) {
      return whole(profile, null);
    }

    /** Leaves out what identifies a person elsewhere, and who invited whom. */
    private static MemberView publicly(
        Profile profile, @Nullable String nickname, @Nullable Long invites) {
      return new MemberView(
          profile.id().value(), nickname, null, null, null, invites, profile.registeredAt());
    }

    private static MemberView whole(Profile profile, @Nullable Long invites) {
      MemberId inviter = profile.inviter();
      return new MemberView(
          profile.id().value(),
          profile.nickname(),
          profile.inviteCode().value(),
          profile.externalId(),
          inviter == null ? null : inviter.value(),
          invites,
          profile.registeredAt());
    }
  }

  /**
   * The recent events of a member.
   *
   * @param asOf the time of the query; events of the last seconds may be missing
   * @param actions latest first, one for each board of an event
   */
  record ActivityView(String member, Instant asOf, List<Activity.Entry> actions) {}
}
