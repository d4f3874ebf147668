package palmares.live.member;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.member.MemberRows.Row;
import palmares.live.member.RegistrationRefused.Why;
import palmares.live.relay.CommittedEvents;
import palmares.live.relay.CommittedEvents.Commit;
import palmares.live.relay.RelayAttempts;
import palmares.live.relay.RelayedEvent;
import palmares.rules.board.MemberId;

/**
 * Registers members. The member, who invited it, and the events that credit the inviter are one
 * transaction; the events are relayed after it until they are applied.
 */
@Component
public class Members {
  private static final int ID_BYTES = 10;

  /** A code may be taken, or a period end meanwhile; neither goes on happening. */
  private static final int MOST_ATTEMPTS = 10;

  private final MemberRows rows;
  private final Invitations invitations;
  private final CommittedEvents events;
  private final RelayAttempts relay;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private RandomGenerator random = new SecureRandom();

  Members(
      MemberRows rows,
      Invitations invitations,
      CommittedEvents events,
      RelayAttempts relay,
      TransactionTemplate transaction,
      Clock clock) {
    this.rows = rows;
    this.invitations = invitations;
    this.events = events;
    this.relay = relay;
    this.transaction = transaction;
    this.clock = clock;
  }

  /**
   * A registration's answer.
   *
   * @param isNew whether this call made the member; a repeat finds it made
   */
  public record Registered(Profile profile, boolean isNew) {}

  public Optional<Profile> find(MemberId id) {
    return rows.withId(id).map(Row::profile);
  }

  /**
   * Makes a member of whoever has the external id, once; a repeat is answered as the first call.
   *
   * @throws RegistrationRefused if it says something else than the first call, its invite code
   *     cannot count, or another member has the id that it asks for
   */
  public Registered register(Registration registration) {
    String hash = registration.externalId().hash(rows.key());
    for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      Optional<Row> before = rows.withExternalHash(hash);
      if (before.isPresent()) {
        return repeated(before.get(), registration);
      }
      Profile inviter = inviter(registration);
      if (isMadeMeanwhile(registration.member(), hash)) {
        continue;
      }
      Row fresh = fresh(registration, hash, inviter);
      if (make(fresh)) {
        return new Registered(fresh.profile(), true);
      }
    }
    throw new IllegalStateException(
        "no free invite code, or no open period, after %d attempts".formatted(MOST_ATTEMPTS));
  }

  private Registered repeated(Row before, Registration registration) {
    if (before.digest().equals(registration.digest())) {
      return new Registered(before.profile(), false);
    }
    if (before.profile().inviteCode().value().equals(registration.inviteCode())) {
      if (invitations.refuseSelf()) {
        throw selfInvite();
      }
      return repeated(before, registration.withoutCode());
    }
    throw new RegistrationRefused(
        Why.ALREADY_REGISTERED,
        "the external id %s is registered, with another nickname, invite code or member id"
            .formatted(registration.externalId()));
  }

  private @Nullable Profile inviter(Registration registration) {
    String code = registration.inviteCode();
    if (code == null) {
      return null;
    }
    Optional<Profile> inviter = rows.withCode(code).map(Row::profile);
    if (inviter.isEmpty() && invitations.refuseUnknownCode()) {
      throw new RegistrationRefused(
          Why.UNKNOWN_CODE, "nobody has the invite code: correct it, or leave it out");
    }
    if (inviter.filter(found -> found.id().equals(registration.member())).isEmpty()) {
      return inviter.orElse(null);
    }
    if (invitations.refuseSelf()) {
      throw selfInvite();
    }
    return null;
  }

  private static RegistrationRefused selfInvite() {
    return new RegistrationRefused(
        Why.SELF_INVITE, "the invite code is this member's own, and nobody invites themselves");
  }

  /**
   * Whether another copy of the registration has committed since the external id was looked for.
   *
   * @throws RegistrationRefused if another member has the wanted id
   */
  private boolean isMadeMeanwhile(@Nullable MemberId wanted, String hash) {
    Optional<Row> holder = wanted == null ? Optional.empty() : rows.withId(wanted);
    if (holder.filter(row -> !row.externalHash().equals(hash)).isPresent()) {
      throw new RegistrationRefused(
          Why.MEMBER_TAKEN,
          "the member id '%s' is another's: choose another, or leave it out".formatted(wanted));
    }
    return holder.isPresent();
  }

  private Row fresh(Registration registration, String hash, @Nullable Profile inviter) {
    return new Row(
        new Profile(
            Objects.requireNonNullElseGet(registration.member(), this::id),
            registration.nickname(),
            InviteCode.random(random),
            registration.externalId().mask(),
            inviter == null ? null : inviter.id(),
            0,
            clock.instant().truncatedTo(ChronoUnit.MICROS)),
        hash,
        registration.digest());
  }

  private MemberId id() {
    var bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return new MemberId("m" + HexFormat.of().formatHex(bytes));
  }

  /** Answers whether the member is there now; if not, nothing has changed. */
  private boolean make(Row fresh) {
    Profile profile = fresh.profile();
    MemberId inviter = profile.inviter();
    Instant now = profile.registeredAt();
    List<RelayedEvent> credits =
        inviter == null ? List.of() : invitations.credits(inviter, profile.id(), now);
    boolean made =
        Boolean.TRUE.equals(
            transaction.execute(
                status -> {
                  if (!rows.insert(fresh)) {
                    return false;
                  }
                  if (inviter != null) {
                    rows.insertInvite(profile.id(), inviter, now);
                  }
                  if (events.write(credits).stream().anyMatch(Members::isLate)) {
                    status.setRollbackOnly();
                    return false;
                  }
                  return true;
                }));
    if (made) {
      relay.relayBriefly(credits.stream().map(RelayedEvent::period).distinct().toList());
    }
    return made;
  }

  /** The period ended between our look and the commit: the next one is to have it. */
  private static boolean isLate(Commit commit) {
    return commit.result() == Commit.Result.LATE;
  }
}
