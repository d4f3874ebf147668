package palmares.operations.forgetting;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.live.member.MemberCodes;
import palmares.period.WrongState;
import palmares.period.exclusion.KnownMembers;
import palmares.platform.time.SqlTime;
import palmares.rules.board.MemberId;

/** Chooses pseudonyms, and stores them until the person is forgotten everywhere. */
@Component
class StoredPseudonyms {
  private static final int OUTCOMES_PER_STATEMENT = 100;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final KnownMembers known;
  private final MemberCodes codes;
  private final Clock clock;

  StoredPseudonyms(
      JdbcClient jdbc,
      TransactionTemplate transaction,
      KnownMembers known,
      MemberCodes codes,
      Clock clock) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.known = known;
    this.codes = codes;
    this.clock = clock;
  }

  /** The pseudonym of a forgetting that has begun and not ended; null if there is none. */
  @Nullable MemberId find(MemberId member) {
    return jdbc.sql("select pseudonym from forgetting where member = :member")
        .param("member", member.value())
        .query(String.class)
        .optional()
        .map(MemberId::new)
        .orElse(null);
  }

  /** Stores the pseudonym, unless an earlier attempt has stored one. */
  MemberId begin(MemberId member) {
    MemberId before = find(member);
    if (before != null) {
      return before;
    }
    Neighbours ties = ties(member);
    MemberId pseudonym =
        Pseudonyms.between(ties.above(), ties.below())
            .orElseThrow(
                () ->
                    new WrongState(
                        "the member has lines that only the ids put in order, and no pseudonym fits"
                            + " between '%s' and '%s'".formatted(ties.above(), ties.below())));
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql(
                  """
                  insert into forgetting (member, pseudonym, started_at)
                  values (:member, :pseudonym, :now)
                  """)
              .param("member", member.value())
              .param("pseudonym", pseudonym.value())
              .param("now", SqlTime.utc(clock.instant()))
              .update();
          codes.keep(member, pseudonym);
        });
    return pseudonym;
  }

  /** The greatest smaller id and the smallest greater one among members with equal lines. */
  private record Neighbours(@Nullable String above, @Nullable String below) {}

  private Neighbours ties(MemberId member) {
    List<Integer> all = jdbc.sql("select id from revision").query(Integer.class).list();
    List<Integer> outcomes = new ArrayList<>(known.outcomesWith(member, all));
    String above = null;
    String below = null;
    for (int from = 0; from < outcomes.size(); from += OUTCOMES_PER_STATEMENT) {
      int to = Math.min(from + OUTCOMES_PER_STATEMENT, outcomes.size());
      Neighbours some = ties(member, outcomes.subList(from, to).toArray(Integer[]::new));
      above = extreme(above, some.above(), 1);
      below = extreme(below, some.below(), -1);
    }
    return new Neighbours(above, below);
  }

  private static @Nullable String extreme(@Nullable String one, @Nullable String other, int sign) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    int order = Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
    return sign * order >= 0 ? one : other;
  }

  private Neighbours ties(MemberId member, Integer[] outcomes) {
    return jdbc.sql(
            """
            select max(equal.member) filter (where equal.member < own.member) as above,
              min(equal.member) filter (where equal.member > own.member) as below
            from line own
            join line equal
              on equal.outcome = own.outcome
              and equal.place between own.place - 1 and own.place + 1
              and (equal.points, equal.then_by, equal.arrival, equal.reached_at)
                is not distinct from (own.points, own.then_by, own.arrival, own.reached_at)
            where own.outcome = any(:outcomes::int[])
              and equal.outcome = any(:outcomes::int[])
              and own.member = :member
            """)
        .param("outcomes", outcomes)
        .param("member", member.value())
        .query(Neighbours.class)
        .single();
  }
}
