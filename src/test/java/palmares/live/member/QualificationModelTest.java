package palmares.live.member;

import static org.assertj.core.api.Assertions.assertThat;
import static palmares.live.member.InviteBoard.named;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import palmares.live.journal.Journal;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.testing.Fact;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Seeds;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Random invites are paid as a model says that shares no code with what judges them. */
@WorldTest
class QualificationModelTest {
  private static final int STEPS = 60;
  private static final Duration WITHIN = Duration.ofDays(3);

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Journal journal;
  @Autowired private Members members;
  @Autowired private Qualifications qualifications;

  /** Who invited a member, what it bought, and the week in which its inviter is credited. */
  private static final class Invited {
    final String inviter;
    final Instant at;
    final List<Purchase> purchases = new ArrayList<>();
    @Nullable Integer creditedIn;

    Invited(String inviter, Instant at) {
      this.inviter = inviter;
      this.at = at;
    }

    @Nullable Instant qualifiedAt(int atLeast) {
      List<Instant> standing =
          purchases.stream()
              .filter(purchase -> !purchase.undone)
              .map(purchase -> purchase.at)
              .filter(time -> time.isBefore(at.plus(WITHIN)))
              .sorted()
              .toList();
      return standing.size() < atLeast ? null : standing.get(atLeast - 1);
    }
  }

  private static final class Purchase {
    final Fact fact;
    final Instant at;
    boolean undone;

    Purchase(Fact fact, Instant at) {
      this.fact = fact;
      this.at = at;
    }
  }

  static LongStream seeds() {
    return Seeds.from1To(4);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void inviteesArePaidAsTheModelSays(long seed) {
    var random = new Random(seed);
    int atLeast = 1 + random.nextInt(2);
    boolean byRegistration = random.nextInt(3) == 0;
    Board shop =
        world.board(Rules.of("month").with("actions: { purchase: { points: 1, undo: true } }"));
    Board board = world.board(invites(shop, atLeast, byRegistration));
    Period month = world.open(shop);
    Period first = world.open(board);
    Map<String, Invited> invited = new TreeMap<>();
    Map<String, InviteCode> codes = new HashMap<>();
    codes.put("m0", members.register(named("m0", null)).profile().inviteCode());
    boolean closed = false;
    for (int step = 0; step < STEPS; step++) {
      world.pass(Duration.ofSeconds(1 + random.nextInt(5 * 3600)));
      if (!closed && !world.now().isBefore(first.slot().endsAt().plus(Duration.ofMinutes(10)))) {
        world.settle(first);
        credit(invited, 1, first.slot().endsAt(), atLeast, byRegistration);
        closed = true;
      }
      act(random, invited, codes);
      if (random.nextBoolean()) {
        journal.drain(month);
        while (qualifications.judge(null)) {}
      }
    }
    assertThat(closed).isTrue();
    assertThat(records.paid(first)).isEqualTo(paid(invited, 1));
    Period second = world.period(board, "2026-W48");
    Instant end = second.slot().endsAt();
    world.settle(second);
    credit(invited, 2, end, atLeast, byRegistration);
    assertThat(records.paid(second)).isEqualTo(paid(invited, 2));
    assertThat(records.verify().named()).isEmpty();
  }

  private static Rules invites(Board shop, int atLeast, boolean byRegistration) {
    return Rules.of("week")
        .with("durability: committed")
        .with("actions: { invite: { points: 100, undo: true } }")
        .with(
            "invites: { action: invite, qualifies: { action: purchase, board: %s, within: 3d,"
                    .formatted(shop.id())
                + " at-least: %d }, counted-in: %s }"
                    .formatted(atLeast, byRegistration ? "registration" : "qualifying"))
        .with("rewards: [{ rule: each-invite, per: invite, credits: 20 }]");
  }

  private void act(Random random, Map<String, Invited> invited, Map<String, InviteCode> codes) {
    int what = random.nextInt(10);
    if (what < 3 || invited.isEmpty()) {
      String inviter = "m" + random.nextInt(codes.size());
      String member = "m" + codes.size();
      codes.put(member, members.register(named(member, codes.get(inviter))).profile().inviteCode());
      invited.put(member, new Invited(inviter, world.now()));
      return;
    }
    var all = List.copyOf(invited.keySet());
    String member = all.get(random.nextInt(all.size()));
    List<Purchase> purchases = Objects.requireNonNull(invited.get(member)).purchases;
    if (what < 8 || purchases.isEmpty()) {
      Fact fact = Fact.by(member).does("purchase").on("order-" + purchases.size());
      world.take(fact);
      purchases.add(new Purchase(fact, world.now()));
    } else {
      Purchase purchase = purchases.get(random.nextInt(purchases.size()));
      world.take(purchase.fact.undone());
      purchase.undone = true;
    }
  }

  /** A week that is closed keeps its credits. */
  private static void credit(
      Map<String, Invited> invited, int week, Instant end, int atLeast, boolean byRegistration) {
    Instant start = end.minus(Duration.ofDays(7));
    for (Invited each : invited.values()) {
      Instant qualified = each.qualifiedAt(atLeast);
      Instant time = qualified == null || !byRegistration ? qualified : each.at;
      if (each.creditedIn == null && time != null && !time.isBefore(start) && time.isBefore(end)) {
        each.creditedIn = week;
      }
    }
  }

  private static Map<String, Long> paid(Map<String, Invited> invited, int week) {
    var paid = new TreeMap<String, Long>();
    for (Invited each : invited.values()) {
      if (each.creditedIn != null && each.creditedIn == week) {
        paid.merge(each.inviter + " each-invite", 20L, Long::sum);
      }
    }
    return paid;
  }
}
