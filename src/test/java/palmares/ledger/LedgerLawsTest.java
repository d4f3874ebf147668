package palmares.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.board.Board;
import palmares.period.Leases;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Money moves once, balances, and is never edited, whoever asks. */
@WorldTest
class LedgerLawsTest {
  /** Each side pays so many, and as many again are there that it may pay instead. */
  private static final int PAID = 200;

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Ledger ledger;
  @Autowired private Leases leases;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  private Payroll payroll() {
    return payroll(world.board(Rules.day()));
  }

  private Payroll payroll(Board board) {
    return new Payroll(jdbc, transaction, ledger, leases, world.open(board));
  }

  @Test
  void postingAgainPostsNothing() {
    Payroll payroll = payroll().awards("prize", Map.of("ann", 70L, "bob", 30L));
    assertThat(payroll.post()).isEqualTo(new Posted(2));
    assertThat(payroll.post()).isEqualTo(new Posted(2));
    assertThat(records.balance("ann")).isEqualTo(70);
    assertThat(house()).isEqualTo(-100);
  }

  @Test
  void whatIsAddedLaterIsPostedWithoutRepeatingTheRest() {
    Payroll payroll = payroll().awards("prize", Map.of("ann", 70L));
    payroll.post();
    payroll.awards("thanks", Map.of("ann", 1L, "bob", 2L));
    assertThat(payroll.post()).isEqualTo(new Posted(3));
    assertThat(records.balance("ann")).isEqualTo(71);
  }

  @Test
  void theSameKeyWithAnotherAmountIsAnErrorAndNothingIsPosted() {
    Payroll payroll = payroll().awards("prize", Map.of("ann", 70L));
    payroll.post();
    servers.sql("update award set credits = 71");
    payroll.awards("thanks", Map.of("bob", 5L));
    assertThatThrownBy(payroll::post)
        .isInstanceOf(LedgerMismatch.class)
        .hasMessageContaining("1 payments of period");
    assertThat(records.balance("ann")).isEqualTo(70);
    assertThat(records.balance("bob")).isZero();
  }

  @Test
  void aTransferThatIsNoLongerPayableIsAnErrorToo() {
    Payroll payroll = payroll().awards("prize", Map.of("ann", 70L, "bob", 5L));
    payroll.post();
    servers.sql("delete from award where member = 'bob'");
    assertThatThrownBy(payroll::post).isInstanceOf(LedgerMismatch.class);
  }

  @Test
  void theMoneyOfAFormerOwnerIsRefused() {
    Payroll former = payroll().awards("prize", Map.of("ann", 70L));
    world.pass(Duration.ofSeconds(21));
    assertThat(leases.take(former.lease().period(), "another")).isPresent();
    assertThatThrownBy(former::post)
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("stale owner");
    assertThat(records.number("select count(*) from entry")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update transfer set amount = 1",
        "update transfer set rule = rule where false",
        "delete from transfer",
        "truncate transfer cascade",
        "update entry set amount = amount",
        "delete from entry where false",
        "truncate entry"
      })
  void transfersAndEntriesAreNeverEdited(String sql) {
    payroll().awards("prize", Map.of("ann", 70L)).post();
    assertThatThrownBy(() -> servers.sql(sql))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("the ledger is never edited");
    assertThat(records.balance("ann")).isEqualTo(70);
  }

  @ParameterizedTest
  @CsvSource({"-70, 71", "-69, 69", "70, -70", "-71, 71"})
  void entriesThatDoNotMoveTheirTransfersAmountAreRefused(long from, long to) {
    payroll().awards("prize", Map.of("ann", 70L)).post();
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      servers.sql("update period set fence = 0");
                      servers.sql(TRANSFER);
                      servers.sql(ENTRIES, from, to);
                    }))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("do not balance");
  }

  private static final String TRANSFER =
      """
      insert into transfer (
        period_id, revision, member, rule, from_account, to_account, amount, posted_at, fence)
      select period_id, revision, member, 'second', from_account, to_account, 70, posted_at, 0
      from transfer
      """;

  private static final String ENTRIES =
      """
      insert into entry (transfer_id, account_id, amount)
      select id, from_account, ?::bigint from transfer where rule = 'second'
      union all
      select id, to_account, ?::bigint from transfer where rule = 'second'
      """;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void whateverTheOrderOfPostingsReplaysAndDeathsBalancesAreTheFoldOfTheEntries(long seed) {
    var random = new Random(seed);
    var payrolls = new ArrayList<Payroll>();
    int rules = 0;
    for (int step = 0; step < 60; step++) {
      if (payrolls.isEmpty() || random.nextInt(3) == 0) {
        payrolls.add(payroll().awards("r" + rules++, some(random)));
        payrolls.get(payrolls.size() - 1).postInVain();
      }
      Payroll payroll = payrolls.get(random.nextInt(payrolls.size()));
      switch (random.nextInt(3)) {
        case 0 -> payroll.postInVain();
        case 1 -> payroll.awards("r" + rules++, some(random));
        default -> payroll.post();
      }
      assertBalanced(seed, step);
    }
    payrolls.forEach(Payroll::post);
    assertThat(records.number("select count(*) from transfer"))
        .as("seed %d", seed)
        .isEqualTo(records.number("select count(*) from award"));
    assertThat(-house())
        .as("seed %d", seed)
        .isEqualTo(records.number("select sum(credits) from award"));
    assertBalanced(seed, 60);
  }

  private static Map<String, Long> some(Random random) {
    var credits = new LinkedHashMap<String, Long>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      credits.put("m" + random.nextInt(6), 1L + random.nextInt(1000));
    }
    return credits;
  }

  private void assertBalanced(long seed, int step) {
    assertThat(records.number("select count(*) from trial_balance where balance <> transferred"))
        .as("accounts off, seed %d, step %d", seed, step)
        .isZero();
    assertThat(records.number("select coalesce(sum(amount), 0) from entry")).isZero();
  }

  @Test
  void closingsThatPayTheSameMembersSideBySideNeverDeadlock() throws Exception {
    manyAccounts();
    var sides = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < 50; round++) {
        Payroll one = payroll().awards("a", shuffled(round));
        Payroll other = payroll().awards("b", shuffled(round + 1_000));
        var start = new CyclicBarrier(2);
        var posting = new ArrayList<Future<Posted>>();
        for (Payroll side : List.of(one, other)) {
          posting.add(
              sides.submit(
                  () -> {
                    start.await();
                    return side.post();
                  }));
        }
        for (var posted : posting) {
          assertThat(posted.get().transfers()).as("round %d", round).isEqualTo(PAID);
        }
      }
    } finally {
      sides.shutdownNow();
    }
    assertThat(-house()).isEqualTo(records.number("select sum(credits) from award"));
    assertBalanced(0, 0);
  }

  /** So many that PostgreSQL finds the few that are paid by the index, one after the other. */
  private void manyAccounts() {
    servers.sql(
        """
        insert into account (kind, name, currency)
        select 'member', 'other' || n, 'credits' from generate_series(1, 30000) as n
        """);
    servers.sql("analyze account");
  }

  private static Map<String, Long> shuffled(long seed) {
    var members = new ArrayList<Integer>();
    for (int i = 1; i <= 2 * PAID; i++) {
      members.add(i);
    }
    Collections.shuffle(members, new Random(seed));
    var credits = new LinkedHashMap<String, Long>();
    members.subList(0, PAID).forEach(member -> credits.put("m" + member, (long) member));
    return credits;
  }

  private long house() {
    return records.number("select sum(balance) from trial_balance where kind = 'house'");
  }
}
