package palmares.operations.lateevents;

import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.period.BoardDefinitions;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.board.MemberScore;
import palmares.settlement.outcome.Revisions;

/**
 * Finds the rank that a line would have in a revision, by binary search over places: about twenty
 * lookups on a big board.
 */
@Component
class StandingRanks {
  private final JdbcClient jdbc;
  private final BoardDefinitions definitions;
  private final Revisions revisions;

  StandingRanks(JdbcClient jdbc, BoardDefinitions definitions, Revisions revisions) {
    this.jdbc = jdbc;
    this.definitions = definitions;
    this.revisions = revisions;
  }

  /**
   * The lines of one revision.
   *
   * @param members the number of members with a rank
   */
  private record Ranked(int outcome, long members) {}

  private record Place(long place, long rank, MemberScore memberScore) {}

  /** The member's rank in the revision; null if it has none. */
  @Nullable Long current(Period period, int revision, String member) {
    return own(revisions.outcome(period.id(), revision), member).map(Place::rank).orElse(null);
  }

  /**
   * The rank that the line would have in place of its member's own line; null if the member is
   * excluded from the ranks.
   */
  @Nullable Long of(Period period, int revision, MemberScore line) {
    if (isUnranked(period, revision, line.member())) {
      return null;
    }
    int outcome = revisions.outcome(period.id(), revision);
    var lines = new Ranked(outcome, countRanked(outcome));
    Board rules = definitions.of(period);
    Comparator<MemberScore> level = rules.scale().byLevel();
    Comparator<MemberScore> exact = rules.scale().byPlace();
    Optional<Place> own = own(outcome, line.member());
    return switch (rules.ranks()) {
      case UNIQUE -> 1 + membersAhead(lines, own, other -> exact.compare(other, line) < 0);
      case COMPETITION -> 1 + membersAhead(lines, own, other -> level.compare(other, line) < 0);
      case DENSE -> 1 + levelsAhead(lines, own, other -> level.compare(other, line) < 0);
    };
  }

  /** How many lines of others are ahead. */
  private long membersAhead(Ranked lines, Optional<Place> own, Predicate<MemberScore> ahead) {
    long places = lastPlaceAhead(lines, ahead);
    return places - (own.isPresent() && own.get().place() <= places ? 1 : 0);
  }

  /** How many distinct levels of others are ahead. */
  private long levelsAhead(Ranked lines, Optional<Place> own, Predicate<MemberScore> ahead) {
    long places = lastPlaceAhead(lines, ahead);
    if (places == 0) {
      return 0;
    }
    long levels = at(lines, places).rank();
    boolean alone =
        own.isPresent()
            && own.get().place() <= places
            && !shares(lines, own.get(), own.get().place() - 1)
            && !shares(lines, own.get(), own.get().place() + 1);
    return levels - (alone ? 1 : 0);
  }

  private boolean shares(Ranked lines, Place own, long place) {
    return place >= 1 && place <= lines.members() && at(lines, place).rank() == own.rank();
  }

  /** Place of the nearest line ranked ahead; 0 if there is none. */
  private long lastPlaceAhead(Ranked lines, Predicate<MemberScore> ahead) {
    long low = 0;
    long high = lines.members();
    while (low < high) {
      long middle = (low + high + 1) / 2;
      if (ahead.test(at(lines, middle).memberScore())) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private Place at(Ranked lines, long place) {
    return find(lines.outcome(), "place = :what", place).orElseThrow();
  }

  private Optional<Place> own(int outcome, String member) {
    return find(outcome, "member = :what and rank is not null", member);
  }

  private Optional<Place> find(int outcome, String where, Object what) {
    return jdbc.sql(
            """
            select place, rank, member, points, then_by, arrival, reached_at
            from standing
            where outcome = :outcome and
            """
                + where)
        .param("outcome", outcome)
        .param("what", what)
        .query(Place.class)
        .optional();
  }

  /** Members without a rank follow all who have one. */
  private long countRanked(int outcome) {
    return jdbc.sql(
            """
            select place from line
            where outcome = :outcome and rank is not null
            order by place desc
            limit 1
            """)
        .param("outcome", outcome)
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  private boolean isUnranked(Period period, int revision, String member) {
    return jdbc.sql(
            """
            select exists (
              select from frozen_exclusion
              where period_id = :period
                and revision = :revision
                and member = :member
                and level in ('hidden', 'unranked'))
            """)
        .param("period", period.id())
        .param("revision", revision)
        .param("member", member)
        .query(Boolean.class)
        .single();
  }
}
