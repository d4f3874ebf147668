package palmares.settlement.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.Period;
import palmares.period.PeriodTimeline;
import palmares.platform.text.Setting;
import palmares.platform.threads.Spans;
import palmares.rules.board.Board;
import palmares.settlement.closing.Approvals;
import palmares.settlement.closing.Approvals.ApprovalDecision;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.dailydigest.Digest;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.schedule.NightlyVerification;
import palmares.testing.Contest;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** What happens to periods is stored as facts, and each target gets those that it wants. */
@WorldTest
class FactsTest {
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private JdbcClient jdbc;
  @Autowired private Servers servers;
  @Autowired private Facts facts;
  @Autowired private Deliveries deliveries;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Clock clock;
  @Autowired private PeriodTimeline timeline;
  @Autowired private Approvals approvals;
  @Autowired private Digest digest;
  @Autowired private NightlyVerification nightlyVerification;

  private Delivery delivery;
  private final Inbox all = new Inbox("all", "*");

  /** A target that keeps what it gets. */
  private static final class Inbox implements DeliveryTarget {
    private final String name;
    private final List<Fact> got = new ArrayList<>();
    private Subscription facts;

    Inbox(String name, String... types) {
      this.name = name;
      this.facts = Subscription.of(new Setting("test"), List.of(types));
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public String address() {
      return "nowhere";
    }

    @Override
    public Subscription facts() {
      return facts;
    }

    @Override
    public Answer send(FactBatch batch) {
      got.addAll(batch.facts());
      return Answer.of(null);
    }

    List<String> types() {
      return got.stream().map(Fact::type).toList();
    }

    Fact last() {
      return got.get(got.size() - 1);
    }
  }

  @BeforeEach
  void aTargetOfAllFacts() {
    delivery = Outboxes.delivery(3, facts, deliveries, transaction, clock, Spans.none());
    delivery.register(all);
  }

  private void drain(Inbox inbox) {
    while (delivery.deliverNext(inbox)) {
      assertThat(inbox.got).hasSizeLessThan(1_000);
    }
  }

  private Period day(Rules rules) {
    Period day = world.open(world.board(rules));
    world.take(Contest.facts());
    return day;
  }

  @Test
  void aPeriodIsOpenedSealedAndSettled() {
    Period day = day(Contest.rules());
    world.settle(day);
    drain(all);
    assertThat(all.types().subList(0, 3))
        .containsExactly("period.opened", "period.sealed", "period.settled");
    assertThat(all.types()).hasSize(3 + Contest.PAID.size());
    var opened = all.got.get(0);
    assertThat(opened.id())
        .isEqualTo("period.opened:%s/%s/%s".formatted(day.board(), day.name(), World.START));
    assertThat(opened.revision()).isNull();
    assertThat(opened.data())
        .containsEntry("startsAt", "2026-11-20T00:00:00Z")
        .containsEntry("endsAt", "2026-11-21T00:00:00Z")
        .containsEntry("closesAt", "2026-11-21T00:10:00Z")
        .containsEntry("moved", false);
    var sealed = all.got.get(1);
    assertThat(sealed.id()).isEqualTo("period.sealed:%s/%s".formatted(day.board(), day.name()));
    assertThat(sealed.data()).containsEntry("members", 5).containsEntry("events", 9);
  }

  @Test
  void aComingPeriodThatMovesIsAnnouncedAgainAndARemovedOneIsNot() {
    Board board = world.board(Rules.day());
    timeline.prepare(board);
    world.pass(Duration.ofSeconds(1));
    timeline.prepare(world.edit(board, Rules.day().with("grace: 1h")));
    timeline.prepare(world.edit(board, Rules.day().with("grace: 1h").with("title: New")));
    drain(all);
    assertThat(all.types()).containsOnly("period.opened").hasSize(3);
    assertThat(all.last().data())
        .containsEntry("moved", true)
        .containsEntry("closesAt", "2026-11-22T01:00:00Z");
  }

  /** Small boards open very many periods. */
  @Test
  void openedAndSealedPeriodsAreStoredOnlyIfATargetWantsThem() {
    world.pass(Duration.ofMinutes(3));
    deliveries.forget("all");
    world.settle(day(Contest.rules()));
    assertThat(records.words("select type from fact")).containsExactly("period.settled");
  }

  @Test
  void aHeldPeriodIsReportedEachTimeItIsHeld() {
    Period day = day(Contest.rules().with("payout: { approval: required }"));
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    var decision = new ApprovalDecision("zoe", "look again", null, null);
    approvals.reject(day.id(), decision);
    approvals.restart(day.id(), decision);
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
    assertThat(world.close(day).outcome()).as("it is held already").isEqualTo(Status.HELD);
    drain(all);
    assertThat(all.types())
        .containsExactly("period.opened", "period.sealed", "period.held", "period.held");
    assertThat(all.got.stream().map(Fact::id)).doesNotHaveDuplicates();
    assertThat(all.last().data())
        .containsEntry(
            "reasons",
            List.of(
                Map.of(
                    "code", "hold.approval",
                    "values", Map.of(),
                    "text", "the board asks for approval")));
  }

  @Test
  void eachFailureIsReported() {
    Period day = day(Contest.rules());
    for (int i = 1; i <= 2; i++) {
      assertThat(world.close(day, this::breakFill).outcome()).isEqualTo(Status.FAILED);
      drain(all);
      assertThat(all.last().type()).isEqualTo("period.failed");
      assertThat(all.last().data())
          .containsEntry("failures", i)
          .containsEntry("step", "fill")
          .containsEntry("retryAt", world.now().plus(Duration.ofMinutes(i)).toString())
          .hasEntrySatisfying(
              "failure", said -> assertThat(said).asString().contains("text=the disk is full"));
    }
    assertThat(all.types()).hasSize(4).containsOnlyOnce("period.sealed");
  }

  private void breakFill(String step) {
    if (step.equals("fill")) {
      throw new IllegalStateException("the disk is full");
    }
  }

  /** The plan that PostgreSQL takes for few rows, which it reads in the order that they lie in. */
  @Test
  void factsAreNumberedAsTheyWereStoredByEveryPlan() {
    day(Contest.rules());
    day(Contest.rules());
    servers.sql("update fact set at = at where id = (select min(id) from fact)");
    servers.sql("analyze fact, period, revision");
    transaction.executeWithoutResult(
        status -> {
          for (String plan : List.of("hashjoin", "mergejoin", "material")) {
            jdbc.sql("set local enable_" + plan + " = off").update();
          }
          facts.number();
        });
    assertThat(records.words("select subject from fact order by n"))
        .hasSizeGreaterThan(1)
        .isEqualTo(records.words("select subject from fact order by id"));
  }

  @Test
  void aNightWithDifferencesIsReportedOnce() {
    Period day = world.settle(day(Contest.rules()));
    servers.unguarded(() -> servers.sql("update line set points = 201 where member = 'ann'"));
    nightlyVerification.verifyIfDue();
    nightlyVerification.verifyIfDue();
    drain(all);
    assertThat(all.types()).containsOnlyOnce("verification.failed");
    assertThat(all.last().id()).isEqualTo("verification.failed:2026-11-20");
    assertThat(all.last().board()).isNull();
    assertThat(all.last().data().get("first")).asString().contains(day.label() + ": population");
  }

  @Test
  void aCleanNightIsNotReported() {
    nightlyVerification.verifyIfDue();
    assertThat(records.number("select count(*) from fact")).isZero();
  }

  @Test
  void aTargetGetsOnlyWhatItWantsAndItsPositionFollows() {
    var money = new Inbox("money", "period.settled", "period.amended");
    delivery.register(money);
    world.settle(day(Contest.rules()));
    Period last = world.settle(day(Contest.rules()));
    drain(money);
    drain(all);
    assertThat(money.types()).containsExactly("period.settled", "period.settled");
    assertThat(money.got).isSubsetOf(all.got);
    assertThat(deliveries.all()).extracting(DeliveryStatus::waiting).containsExactly(0L, 0L);

    assertThat(world.close(last, step -> {}).outcome()).isEqualTo(Status.ALREADY_SETTLED);
    day(Contest.rules());
    assertThat(delivery.deliverNext(money)).isFalse();
    assertThat(records.number("select fact from outbox_target where name = 'money'"))
        .as("so that no fact is read twice in vain")
        .isEqualTo(records.number("select max(n) from fact"));
    world.pass(Duration.ofDays(91));
    drain(all);
    digest.writeIfDue();
    drain(all);
    drain(money);
    world.pass(Duration.ofDays(91));
    deliveries.prune();
    assertThat(records.words("select type from fact")).containsExactly("digest");
  }

  @Test
  void aTargetThatIsBehindKeepsOnlyWhatItWants() {
    var behind = new Inbox("behind", "period.held");
    delivery.register(behind);
    world.settle(day(Contest.rules()));
    world.close(day(Contest.rules().with("payout: { approval: required }")));
    drain(all);
    digest.writeIfDue();
    drain(all);
    world.pass(Duration.ofDays(91));
    deliveries.prune();
    assertThat(records.words("select distinct type from fact order by type"))
        .containsExactly("digest", "period.held");
    drain(behind);
    assertThat(behind.types()).containsExactly("period.held");
  }

  @Test
  void aBatchIsSentAgainUnchangedEvenIfItsTargetWantsOtherFactsMeanwhile() {
    world.settle(day(Contest.rules()));
    var sent = new ArrayList<FactBatch>();
    var dying =
        new DeliveryTarget() {
          @Override
          public String name() {
            return all.name();
          }

          @Override
          public String address() {
            return all.address();
          }

          @Override
          public Subscription facts() {
            return sent.isEmpty()
                ? Subscription.ALL
                : Subscription.of(new Setting("test"), List.of("digest"));
          }

          @Override
          public Answer send(FactBatch batch) {
            sent.add(batch);
            if (sent.size() == 1) {
              throw new IllegalStateException("killed");
            }
            return Answer.of(null);
          }
        };
    assertThatThrownBy(() -> delivery.deliverNext(dying)).hasMessage("killed");
    delivery.register(dying);
    assertThat(delivery.deliverNext(dying)).isTrue();
    assertThat(sent.get(1)).isEqualTo(sent.get(0));
  }

  @Test
  void theTransfersOfARevisionAreFinishedAsTheyWereBegun() {
    world.settle(day(Contest.rules()));
    assertThat(delivery.deliverNext(all)).as("opened, sealed, settled").isTrue();
    assertThat(delivery.deliverNext(all)).as("three transfers").isTrue();
    all.facts = Subscription.of(new Setting("test"), List.of("period.settled"));
    delivery.register(all);
    drain(all);
    assertThat(all.types()).hasSize(3 + Contest.PAID.size());
    Period next = world.settle(day(Contest.rules()));
    drain(all);
    assertThat(all.types()).hasSize(4 + Contest.PAID.size());
    assertThat(all.last().period()).isEqualTo(next.name().value());
  }

  @Test
  void aSubscriptionIsChecked() {
    assertThatThrownBy(
            () -> Subscription.of(new Setting("palmares.outbox.webhook.facts"), List.of("settled")))
        .hasMessageStartingWith(
            "palmares.outbox.webhook.facts is 'settled', and must be * or some of award");
    assertThatThrownBy(
            () -> Subscription.of(new Setting("p"), List.of("award.*", "period.settled")))
        .hasMessage(
            "p is 'award.*,period.settled', and award.* needs period.settled, period.amended: add"
                + " them");
    assertThatThrownBy(() -> Subscription.of(new Setting("p"), List.of()))
        .hasMessageStartingWith("p is '', and must be *");
  }

  @Test
  void everyFactIsDocumented() throws Exception {
    String page = Files.readString(Path.of("src/docs/delivering.md"));
    Subscription.TYPES.forEach(type -> assertThat(page).contains("\n| `" + type + "` |"));
  }

  @Test
  void everyTypeThatMayBeStoredMayBeWanted() {
    String known =
        records
            .words(
                "select pg_get_constraintdef(oid) from pg_constraint"
                    + " where conname = 'a fact has a known type'")
            .get(0);
    Subscription.TYPES.stream()
        .filter(type -> !type.equals(Subscription.TRANSFERS))
        .forEach(type -> assertThat(known).contains("'" + type + "'"));
    assertThat(known.split("'::text", -1)).hasSize(Subscription.TYPES.size());
  }
}
