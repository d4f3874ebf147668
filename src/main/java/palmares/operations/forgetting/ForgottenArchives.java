package palmares.operations.forgetting;

import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.live.member.MemberCodes;
import palmares.operations.archive.ArchiveRenaming;
import palmares.operations.archive.ArchiveRenaming.Found;
import palmares.operations.archive.ArchiveRenaming.Renamed;
import palmares.operations.forgetting.Forgetting.Forgotten;
import palmares.operations.forgetting.Forgetting.Plan;
import palmares.period.WrongState;
import palmares.platform.Refusal;
import palmares.platform.Refusal.Reason;
import palmares.rules.board.MemberId;

/** Replaces a forgotten person's id in archives, also in those that were elsewhere at that time. */
@Component
public class ForgottenArchives {
  private final ArchiveRenaming archives;
  private final MemberCodes codes;
  private final JdbcClient jdbc;

  ForgottenArchives(ArchiveRenaming archives, MemberCodes codes, JdbcClient jdbc) {
    this.archives = archives;
    this.codes = codes;
    this.jdbc = jdbc;
  }

  /** The archives that cannot be read here. */
  List<String> unreachable() {
    return archives.unreachable();
  }

  /**
   * Finds an id in the archives that can be read here.
   *
   * @param read receives how many were read
   */
  Found find(MemberId member, LongConsumer read) {
    return archives.find(member, read);
  }

  /** Whether there is no archive that can be read here. */
  boolean isEmpty() {
    return archives.isEmpty();
  }

  /**
   * Replaces the id while the person is being forgotten.
   *
   * @return with each archive that remains, the command that completes it later, without the id, as
   *     tasks keep messages
   * @throws ForgettingIncomplete if another process works on a period
   */
  Renamed rename(MemberId member, MemberId pseudonym, String reason, String by) {
    try {
      Renamed files = archives.rename(member, pseudonym, by, reason);
      return new Renamed(
          files.renamed(),
          files.remains().stream()
              .map(
                  archive ->
                      ("%s: run 'palmares forget MEMBER --pseudonym %s' where"
                              + " palmares.archive.folder has it")
                          .formatted(archive, pseudonym))
              .toList());
    } catch (Refusal e) {
      if (e.reason() == Reason.PERIOD_BUSY) {
        throw new ForgettingIncomplete(e.detail());
      }
      throw e;
    }
  }

  /**
   * Replaces the id of a person who is forgotten already. May be killed and called again.
   *
   * @param pseudonym of the person
   * @param reason must not contain the id
   * @throws WrongState if nobody was forgotten under this pseudonym
   * @throws ForgettingIncomplete if another process works on a period
   */
  public Forgotten complete(MemberId member, MemberId pseudonym, String reason, String by) {
    check(member, pseudonym, reason);
    Renamed files = rename(member, pseudonym, reason, by);
    return new Forgotten(
        pseudonym, files.remains(), List.of(), 0, List.of(), List.of(), files.renamed());
  }

  /**
   * Checks that a person was forgotten under a pseudonym; changes nothing.
   *
   * @throws WrongState if nobody was, or somebody else, or the reason contains the id
   */
  public Plan check(MemberId member, MemberId pseudonym, String reason) {
    ForgettingCheck.requireUnnamed(member, reason);
    boolean isForgotten =
        jdbc.sql(
                """
                select exists (
                  select from audit_entry where verb = 'forget' and member = :pseudonym)
                """)
            .param("pseudonym", pseudonym.value())
            .query(Boolean.class)
            .single();
    if (!isForgotten) {
      throw new WrongState("nobody was forgotten under the pseudonym " + pseudonym);
    }
    // A renaming in an archive cannot be undone.
    if (!codes.areOne(member, pseudonym)) {
      throw new WrongState("somebody else was forgotten under the pseudonym " + pseudonym);
    }
    return new Plan(List.of(), unreachable(), List.of(), Map.of());
  }
}
