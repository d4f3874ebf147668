package palmares.live.member;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.intake.InviteCredits;
import palmares.live.intake.InviteCredits.Terms;
import palmares.live.relay.CommittedEvents;
import palmares.live.relay.CommittedEvents.Commit;
import palmares.live.relay.RelayAttempts;
import palmares.live.relay.RelayedEvent;
import palmares.period.auditlog.AuditEntry;
import palmares.period.auditlog.AuditLog;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.rules.board.MemberId;
import palmares.rules.board.Sha256;

/**
 * Registers, finds and forgets members. The member, its inviter, and the events that credit the
 * inviter are committed in one transaction; the relay applies the events afterwards.
 */
@Component
public class Members {
  private static final int ID_BYTES = 10;

  /** A generated code may be taken, or a period may end; an attempt rarely meets either. */
  private static final int MAX_ATTEMPTS = 10;

  private static final String PROFILE =
      """
      select
        member.id, member.external_hash, member.external_mask as external_id, member.nickname,
        member.invite_code, member.digest, member.registered_at, invite.inviter,
        (select count(*) from invite brought where brought.inviter = member.id) as invites
      from member
      left join invite on invite.newcomer = member.id
      where member.forgotten_at is null
      """;

  /** For what is judged after its deadline, because Redis could not be read. */
  private static final Duration JUDGED_WITHIN = Duration.ofDays(7);

  /** Keeps those by which a closing may still flag the member that invited a forgotten one. */
  private static final String DELETE_TAGS =
      """
      delete from registration_tag tag
      using member
      join invite on invite.newcomer = member.id
      where tag.member = member.id and member.forgotten_at is not null
        and member.id = coalesce(:id, member.id)
        and not exists (
          select from event
          join period on period.id = event.period_id
          where event.member = invite.inviter and event.subject = invite.newcomer
            and period.settled_at is null and period.closes_at is not null)
        and not exists (
          select from period
          cross join unnest(:actions::text[]) as invited (action)
          join committed_event credit
            on credit.period_id = period.id
            and credit.id = :prefix || invited.action || ':' || invite.newcomer
          where period.settled_at is null and period.closes_at is not null)
        and not exists (
          select from invite_credit credit
          join period on period.board = credit.board and period.name = credit.period
          where credit.newcomer = invite.newcomer
            and period.settled_at is null and period.closes_at is not null)
        and not exists (
          select from invite_credit credit
          where credit.newcomer = invite.newcomer
            and credit.counted_at is null and credit.deadline > :judged)
      """;

  private final JdbcClient jdbc;
  private final InvitePolicy invitePolicy;
  private final Qualifications qualifications;
  private final CommittedEvents events;
  private final RelayAttempts relay;
  private final TransactionTemplate transaction;
  private final HashKey hashKey;
  private final AuditLog auditLog;
  private final Clock clock;
  private RandomGenerator random = new SecureRandom();

  Members(
      JdbcClient jdbc,
      InvitePolicy invitePolicy,
      Qualifications qualifications,
      CommittedEvents events,
      RelayAttempts relay,
      TransactionTemplate transaction,
      HashKey hashKey,
      AuditLog auditLog,
      Clock clock) {
    this.jdbc = jdbc;
    this.invitePolicy = invitePolicy;
    this.qualifications = qualifications;
    this.events = events;
    this.relay = relay;
    this.transaction = transaction;
    this.hashKey = hashKey;
    this.auditLog = auditLog;
    this.clock = clock;
  }

  /**
   * A registered member.
   *
   * @param isNew false if the call repeated an earlier registration
   */
  public record Registered(Profile profile, boolean isNew) {}

  public Optional<Profile> find(MemberId id) {
    return withId(id).map(Row::profile);
  }

  /** A position in the list of members that a text names. */
  public record Position(String nickname, MemberId id) {}

  /**
   * Finds members by the beginning of a nickname in any capitals, by an invite code, or by an id;
   * those with the whole text first.
   *
   * @param after only members after this one, in that order; null for all
   * @param most the maximum number of members
   */
  public List<Profile> search(String text, @Nullable Position after, int most) {
    return jdbc
        .sql(
            PROFILE
                + """
                and (
                    lower(member.nickname) like lower(:prefix)
                    or member.invite_code = upper(:text)
                    or member.id = :text)
                  and (:after_id::text is null
                    or (member.id <> :text, lower(member.nickname) <> lower(:text),
                        lower(member.nickname), member.id)
                      > (:after_id <> :text, lower(:after_nickname) <> lower(:text),
                        lower(:after_nickname), :after_id))
                order by member.id <> :text, lower(member.nickname) <> lower(:text),
                  lower(member.nickname), member.id
                limit :most
                """)
        .param("prefix", text.replaceAll("([\\\\%_])", "\\\\$1") + "%")
        .param("text", text)
        .param("after_id", after == null ? null : after.id())
        .param("after_nickname", after == null ? null : after.nickname())
        .param("most", most)
        .query(Row.class)
        .list()
        .stream()
        .map(Row::profile)
        .toList();
  }

  /**
   * Registers the member of an external id. Returns the same profile if the call is repeated.
   *
   * @throws Refusal if the external id is registered with other details, the invite code is unknown
   *     or the member's own, or another member has the wanted id
   */
  public Registered register(Registration registration) {
    String hash = registration.externalId().hash(hashKey.get());
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt > 1) {
        requireNotForgotten(registration, hash);
      }
      Optional<Row> before = with("member.external_hash", hash);
      if (before.isPresent()) {
        return repeated(before.get(), registration);
      }
      Profile inviter = inviter(registration);
      if (isRegisteredMeanwhile(registration.member(), hash)) {
        continue;
      }
      Optional<Profile> stored = store(registration, fresh(registration, hash, inviter));
      if (stored.isPresent()) {
        return new Registered(stored.get(), true);
      }
    }
    throw new IllegalStateException(
        "no free invite code or no open period after %d attempts".formatted(MAX_ATTEMPTS));
  }

  /**
   * Deletes the profile of a member: nickname, invite code, the mask of the external id, and the
   * hashes of the address and device that it registered with, these as soon as no closing needs
   * them. The keyed hash of the external id stays, so that it is not registered again. The member's
   * id stays as well, as lines, payments and events have it. Joins the caller's transaction.
   *
   * @param reason stored in the audit log
   * @return false if the member was forgotten before; then nothing is changed
   * @throws Refusal if no member has registered with this id
   */
  public boolean forget(MemberId member, String reason, String by) {
    int changed =
        jdbc.sql(
                """
                update member
                set external_mask = null, nickname = null, invite_code = null, digest = null,
                  forgotten_at = :now
                where id = :id and forgotten_at is null
                """)
            .param("now", clock.instant())
            .param("id", member)
            .update();
    if (changed == 0 && !isForgotten(member.value(), "")) {
      throw new Refusal(Problem.UNKNOWN_MEMBER, new MemberSentences.NoProfile(member.value()));
    }
    if (changed == 1) {
      deleteTags(member);
      auditLog.append(
          new AuditEntry(by, "forget", null, null, null, member.value(), reason), clock.instant());
    }
    return changed == 1;
  }

  /** Deletes what forgotten members registered with, and no closing needs any more. */
  public void prune() {
    deleteTags(null);
  }

  private void deleteTags(@Nullable MemberId member) {
    jdbc.sql(DELETE_TAGS)
        .param("id", member)
        .param("actions", invitePolicy.actions())
        .param("prefix", InviteCredits.PREFIX)
        .param("judged", clock.instant().minus(JUDGED_WITHIN))
        .update();
  }

  private boolean isForgotten(@Nullable String id, String externalHash) {
    return jdbc.sql(
            """
            select exists (
              select from member
              where (id = :id or external_hash = :hash) and forgotten_at is not null)
            """)
        .param("id", id)
        .param("hash", externalHash)
        .query(Boolean.class)
        .single();
  }

  /** An insert that conflicts with a member whom no lookup finds met one who was forgotten. */
  private void requireNotForgotten(Registration registration, String hash) {
    if (isForgotten(null, hash)) {
      throw new Refusal(
          Problem.ALREADY_REGISTERED,
          new MemberSentences.Forgotten(registration.externalId().toString()));
    }
    MemberId wanted = registration.member();
    if (wanted != null && isForgotten(wanted.value(), "")) {
      throw taken(wanted);
    }
  }

  private static Refusal taken(MemberId wanted) {
    return new Refusal(Problem.MEMBER_TAKEN, new MemberSentences.IdTaken(wanted.value()));
  }

  private Registered repeated(Row before, Registration registration) {
    if (before.digest().equals(registration.digest())) {
      return new Registered(before.profile(), false);
    }
    if (before.profile().inviteCode().value().equals(registration.inviteCode())) {
      if (invitePolicy.refusesSelfInvite()) {
        throw selfInvite();
      }
      return repeated(before, registration.withoutCode());
    }
    throw new Refusal(
        Problem.ALREADY_REGISTERED,
        new MemberSentences.RegisteredOtherwise(registration.externalId().toString()));
  }

  private @Nullable Profile inviter(Registration registration) {
    String code = registration.inviteCode();
    if (code == null) {
      return null;
    }
    Optional<Profile> inviter = with("member.invite_code", code).map(Row::profile);
    if (inviter.isEmpty() && invitePolicy.refusesUnknownCode()) {
      throw new Refusal(Problem.UNKNOWN_CODE, new MemberSentences.UnknownCode());
    }
    if (inviter.filter(found -> found.id().equals(registration.member())).isEmpty()) {
      return inviter.orElse(null);
    }
    if (invitePolicy.refusesSelfInvite()) {
      throw selfInvite();
    }
    return null;
  }

  private static Refusal selfInvite() {
    return new Refusal(Problem.SELF_INVITE, new MemberSentences.SelfInvite());
  }

  /**
   * Whether a concurrent call has registered the same external id since it was looked up.
   *
   * @throws Refusal if another member has the wanted id
   */
  private boolean isRegisteredMeanwhile(@Nullable MemberId wanted, String hash) {
    Optional<Row> holder = wanted == null ? Optional.empty() : withId(wanted);
    if (wanted != null && holder.filter(row -> !row.externalHash().equals(hash)).isPresent()) {
      throw taken(wanted);
    }
    return holder.isPresent();
  }

  private Row fresh(Registration registration, String hash, @Nullable Profile inviter) {
    return new Row(
        new Profile(
            Objects.requireNonNullElseGet(registration.member(), () -> generatedId(hash)),
            registration.nickname(),
            InviteCode.random(random),
            registration.externalId().mask(),
            inviter == null ? null : inviter.id(),
            0,
            clock.instant().truncatedTo(ChronoUnit.MICROS)),
        hash,
        registration.digest());
  }

  /**
   * The same for the same external id: if PostgreSQL forgets the registration and it is repeated,
   * the live boards know its credits. Only the key leads from one to the other.
   */
  private MemberId generatedId(String hash) {
    byte[] mac = Sha256.mac(hashKey.get()).doFinal(("member " + hash).getBytes(UTF_8));
    return new MemberId("m" + HexFormat.of().formatHex(mac, 0, ID_BYTES));
  }

  /** Returns the member as stored; if it was not, nothing has changed. */
  private Optional<Profile> store(Registration registration, Row fresh) {
    MemberId inviter = fresh.profile().inviter();
    InviteCredits.Registered brings =
        inviter == null
            ? new InviteCredits.Registered(List.of(), List.of())
            : invitePolicy.credits(inviter, fresh.profile().id(), fresh.profile().registeredAt());
    List<RelayedEvent> credits = brings.credits();
    Optional<Profile> stored =
        transaction.execute(
            status -> {
              // A freeze waits for a member that is inserted, and may hold a row that credits need.
              boolean late = events.write(credits).stream().anyMatch(Members::isLate);
              Optional<Profile> inserted = late ? Optional.empty() : insert(fresh);
              inserted.ifPresent(newcomer -> insertInvite(newcomer, brings.terms(), registration));
              if (inserted.isEmpty()) {
                status.setRollbackOnly();
              }
              return inserted;
            });
    stored.ifPresent(
        profile ->
            relay.relayBriefly(credits.stream().map(RelayedEvent::period).distinct().toList()));
    return stored;
  }

  /** Whether the period ended before the commit, so that the next period must be credited. */
  private static boolean isLate(Commit commit) {
    return commit.result() == Commit.Result.LATE;
  }

  private record Row(Profile profile, String externalHash, String digest) {}

  private Optional<Row> withId(MemberId id) {
    return with("member.id", id.value());
  }

  /** Finds the member whose column has a value; the column is unique. */
  private Optional<Row> with(String column, String value) {
    return jdbc.sql(PROFILE + "and %s = :value".formatted(column))
        .param("value", value)
        .query(Row.class)
        .optional();
  }

  /**
   * Inserts a member, and returns it with the time at which it counts as registered; empty if one
   * of its unique values exists. Waits for a transaction that is inserting the same value.
   */
  private Optional<Profile> insert(Row row) {
    Profile profile = row.profile();
    return jdbc.sql(
            """
            insert into member (
              id, external_hash, external_mask, nickname, invite_code, digest, registered_at)
            values (:id, :hash, :mask, :nickname, :code, :digest, begin_registration(:now))
            on conflict do nothing
            returning registered_at
            """)
        .param("id", profile.id())
        .param("hash", row.externalHash())
        .param("mask", profile.externalId())
        .param("nickname", profile.nickname())
        .param("code", profile.inviteCode())
        .param("digest", row.digest())
        .param("now", profile.registeredAt())
        .query(Instant.class)
        .optional()
        .map(profile::with);
  }

  private void insertInvite(Profile newcomer, List<Terms> terms, Registration registration) {
    MemberId inviter = newcomer.inviter();
    if (inviter == null) {
      return;
    }
    jdbc.sql(
            """
            insert into invite (newcomer, inviter, invited_at)
            values (:newcomer, :inviter, :now)
            """)
        .param("newcomer", newcomer.id())
        .param("inviter", inviter)
        .param("now", newcomer.registeredAt())
        .update();
    insertTag(newcomer.id(), "address", registration.address());
    insertTag(newcomer.id(), "device", registration.device());
    qualifications.begin(newcomer.id(), newcomer.registeredAt(), terms);
  }

  /** Stores a keyed hash only; of the same text for another kind, another one. */
  private void insertTag(MemberId newcomer, String kind, @Nullable String tag) {
    if (tag == null) {
      return;
    }
    byte[] mac = Sha256.mac(hashKey.get()).doFinal((kind + " " + tag).getBytes(UTF_8));
    jdbc.sql("insert into registration_tag (member, kind, hash) values (:member, :kind, :hash)")
        .param("member", newcomer)
        .param("kind", kind)
        .param("hash", HexFormat.of().formatHex(mac))
        .update();
  }

  /**
   * A registered member.
   *
   * @param externalId masked
   * @param inviter null if it was not invited
   * @param invites number of members that it has invited
   */
  public record Profile(
      MemberId id,
      String nickname,
      InviteCode inviteCode,
      String externalId,
      @Nullable MemberId inviter,
      long invites,
      Instant registeredAt) {
    private Profile with(Instant time) {
      return new Profile(id, nickname, inviteCode, externalId, inviter, invites, time);
    }
  }
}
