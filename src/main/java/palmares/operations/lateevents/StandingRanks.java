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
 * The rank that a line would have among standings, found by halving: places are in the one order,
 * so a big board costs some twenty look-ups.
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
   * Standings of one revision.
   *
   * @param members how many have a rank
   */
  private record Ranked(long period, int revision, int outcome, long members) {}

  private Ranked list(Period period, int revision, long members) {
    return new Ranked(
        period.id().value(), revision, revisions.outcome(period.id(), revision), members);
  }

  private record Place(long place, long rank, MemberScore memberScore) {}

  /** The member's rank as it stands; null if it has none. */
  @Nullable Long present(Period period, int revision, String member) {
    return own(list(period, revision, 0), member).map(Place::rank).orElse(null);
  }

  /**
   * The rank of the line, in place of the one that its member has; null if the member may have
   * none.
   */
  @Nullable Long of(Period period, int revision, MemberScore line) {
    var list = list(period, revision, ranked(period, revision));
    if (isUnranked(list, line.member())) {
      return null;
    }
    Board rules = definitions.of(period);
    Comparator<MemberScore> level = rules.scale().byLevel();
    Comparator<MemberScore> exact = rules.scale().byPlace();
    Optional<Place> own = own(list, line.member());
    return switch (rules.ranks()) {
      case UNIQUE -> 1 + ahead(list, own, there -> exact.compare(there, line) < 0);
      case COMPETITION -> 1 + ahead(list, own, there -> level.compare(there, line) < 0);
      case DENSE -> 1 + levels(list, own, there -> level.compare(there, line) < 0);
    };
  }

  /** How many others are before the line. */
  private long ahead(Ranked list, Optional<Place> own, Predicate<MemberScore> before) {
    long places = last(list, before);
    return places - (own.isPresent() && own.get().place() <= places ? 1 : 0);
  }

  /** How many levels of others are before the line's. */
  private long levels(Ranked list, Optional<Place> own, Predicate<MemberScore> before) {
    long places = last(list, before);
    if (places == 0) {
      return 0;
    }
    long levels = at(list, places).rank();
    boolean alone =
        own.isPresent()
            && own.get().place() <= places
            && !shares(list, own.get(), own.get().place() - 1)
            && !shares(list, own.get(), own.get().place() + 1);
    return levels - (alone ? 1 : 0);
  }

  private boolean shares(Ranked list, Place own, long place) {
    return place >= 1 && place <= list.members() && at(list, place).rank() == own.rank();
  }

  /** The last place that is before; 0 if none is. */
  private long last(Ranked list, Predicate<MemberScore> before) {
    long low = 0;
    long high = list.members();
    while (low < high) {
      long middle = (low + high + 1) / 2;
      if (before.test(at(list, middle).memberScore())) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private Place at(Ranked list, long place) {
    return find(list, "place = :what", place).orElseThrow();
  }

  private Optional<Place> own(Ranked list, String member) {
    return find(list, "member = :what and rank is not null", member);
  }

  private Optional<Place> find(Ranked list, String where, Object what) {
    return jdbc.sql(
            """
            select place, rank, member, points, then_by, arrival, reached_at
            from standing
            where outcome = :outcome and
            """
                + where)
        .param("outcome", list.outcome())
        .param("what", what)
        .query(
            (row, n) ->
                new Place(
                    row.getLong("place"),
                    row.getLong("rank"),
                    new MemberScore(
                        row.getString("member"),
                        row.getLong("points"),
                        row.getLong("then_by"),
                        row.getLong("arrival"),
                        CorrectionRows.instant(row, "reached_at"))))
        .optional();
  }

  /** Those without a rank stand behind all who have one. */
  private long ranked(Period period, int revision) {
    return jdbc.sql(
            """
            select place from line
            where outcome = :outcome and rank is not null
            order by place desc
            limit 1
            """)
        .param("outcome", revisions.outcome(period.id(), revision))
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  private boolean isUnranked(Ranked list, String member) {
    return jdbc.sql(
            """
            select exists (
              select from frozen_exclusion
              where period_id = :period
                and revision = :revision
                and member = :member
                and level in ('hidden', 'unranked'))
            """)
        .param("period", list.period())
        .param("revision", list.revision())
        .param("member", member)
        .query(Boolean.class)
        .single();
  }
}
