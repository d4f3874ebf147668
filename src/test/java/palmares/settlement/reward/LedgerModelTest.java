package palmares.settlement.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Leases;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Owing.Prize;
import palmares.testing.Records;
import palmares.testing.Seeds;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Balances are right after any amendments, retries, races and interruptions. */
@WorldTest
class LedgerModelTest {
  private static final int STEPS = 40;
  private static final List<String> OWED = List.of("take", "write-off", "debt");
  private static final List<String> CURRENCIES = List.of("credits", "credits", "gems");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private BoardDefinitions definitions;
  @Autowired private Revisions revisions;
  @Autowired private PaymentDifferences differences;
  @Autowired private Leases leases;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  private final Owing model = new Owing();
  private Book.Desk desk;

  @BeforeEach
  void aDesk() {
    desk = new Book.Desk(world, jdbc, transaction, definitions, leases, revisions, differences);
  }

  static LongStream seeds() {
    return Seeds.from1To(3);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void balancesEqualTheModelAfterAnyAmendments(long seed) throws Exception {
    var random = new Random(seed);
    var books = new ArrayList<Book>();
    for (String owed : OWED) {
      Book book = desk.open(owed, random.nextBoolean() ? Tables.SHARED : Tables.OWN);
      begin(book, awards(random, Map.of()));
      pay(book, random);
      books.add(book);
      assertBalanced(seed, -1);
    }
    for (int step = 0; step < STEPS; step++) {
      Book book = books.get(random.nextInt(books.size()));
      switch (random.nextInt(6)) {
        case 0 -> {
          Map<List<String>, Prize> stood = book.written();
          begin(book, awards(random, stood));
          book.reject();
          begin(book, stood);
          pay(book, random);
        }
        case 1 -> again(book);
        default -> {
          begin(book, awards(random, book.written()));
          pay(book, random);
        }
      }
      assertBalanced(seed, step);
    }
  }

  /** What is stored are differences: together they are the awards of the outcome. */
  private void begin(Book book, Map<List<String>, Prize> awards) {
    book.begin(awards);
    var stored = new HashMap<List<String>, Prize>();
    jdbc.sql("select member, rule, currency, credits from award where outcome = ?")
        .param(book.outcome())
        .query(
            row -> {
              stored.put(
                  List.of(row.getString(1), row.getString(2)),
                  new Prize(row.getString(2), row.getString(3), row.getLong(4)));
            });
    assertThat(stored).isEqualTo(book.written());
  }

  /** Once, after a death, or from three sides at a time. */
  private void pay(Book book, Random random) throws Exception {
    book.approve();
    switch (random.nextInt(3)) {
      case 0 -> book.post();
      case 1 -> {
        book.requirePostingRefused();
        book.post();
      }
      default -> race(book);
    }
    book.isAsIn(model);
  }

  private static void race(Book book) throws Exception {
    var sides = Executors.newFixedThreadPool(3);
    var start = new CyclicBarrier(3);
    var posting = new ArrayList<Future<Boolean>>();
    try {
      for (int side = 0; side < 3; side++) {
        posting.add(
            sides.submit(
                () -> {
                  start.await();
                  return posts(book);
                }));
      }
      int posted = 0;
      for (Future<Boolean> one : posting) {
        posted += one.get() ? 1 : 0;
      }
      assertThat(posted).isOne();
    } finally {
      sides.shutdownNow();
    }
  }

  private static boolean posts(Book book) {
    try {
      book.post();
      return true;
    } catch (IllegalStateException postedAlready) {
      return false;
    }
  }

  /** A posted revision is not posted again, even after later ones. */
  private void again(Book book) {
    long before = records.number("select count(*) from transfer");
    for (int posted : List.of(1, book.standing())) {
      assertThatThrownBy(() -> book.post(posted))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("already posted");
    }
    assertThat(records.number("select count(*) from transfer")).isEqualTo(before);
  }

  /**
   * Some as they were, some more, some less, some gone, some new. A rule pays in one currency in an
   * outcome, and in another one in the next; rules come in any order.
   */
  private static Map<List<String>, Prize> awards(Random random, Map<List<String>, Prize> before) {
    var currencies = new HashMap<String, String>();
    before.values().forEach(prize -> currencies.put(prize.rule(), prize.currency()));
    for (int rule = 0; rule < 3; rule++) {
      String drawn = CURRENCIES.get(random.nextInt(CURRENCIES.size()));
      if (random.nextInt(4) == 0) {
        currencies.put("r" + rule, drawn);
      } else {
        currencies.putIfAbsent("r" + rule, drawn);
      }
    }
    var amounts = new HashMap<List<String>, Long>();
    before.forEach((key, prize) -> amounts.put(key, prize.credits()));
    amounts.keySet().removeIf(key -> random.nextInt(4) == 0);
    for (int i = 0; i < 4; i++) {
      amounts.put(
          List.of("m" + random.nextInt(5), "r" + random.nextInt(3)), 1L + random.nextInt(100));
    }
    var awards = new HashMap<List<String>, Prize>();
    amounts.forEach(
        (key, credits) ->
            awards.put(
                key,
                new Prize(key.get(1), currencies.getOrDefault(key.get(1), "credits"), credits)));
    return awards;
  }

  private void assertBalanced(long seed, int step) {
    assertThat(
            records.number(
                """
                select count(*) from (
                  select currency from trial_balance group by currency having sum(balance) <> 0
                  union all
                  select currency from entry group by currency having sum(amount) <> 0) broken
                """))
        .as("currencies off, seed %d, step %d", seed, step)
        .isZero();
    assertThat(stored()).as("seed %d, step %d", seed, step).isEqualTo(model.balances());
  }

  private Map<String, Long> stored() {
    var stored = new TreeMap<String, Long>();
    jdbc.sql("select kind, account, currency, balance from trial_balance where balance <> 0")
        .query(
            row -> {
              stored.put(
                  "" + List.of(row.getString(1), row.getString(2), row.getString(3)),
                  row.getLong(4));
            });
    return stored;
  }

  @Test
  void aRuleThatChangesItsCurrencyReturnsTheOldAndPaysTheNew() {
    Book book = desk.open("take", Tables.SHARED);
    for (Prize prize : List.of(new Prize("r", "credits", 100), new Prize("r", "gems", 7))) {
      begin(book, Map.of(List.of("ann", "r"), prize));
      book.approve();
      book.post();
      book.isAsIn(model);
      assertBalanced(0, 0);
    }
    assertThat(records.words("select purpose || ' ' || currency from transfer order by 1"))
        .containsExactly("award credits", "award gems", "return credits");
  }

  @ParameterizedTest
  @CsvSource({"take, debt", "debt, write-off", "write-off, take"})
  void theOverpaymentPolicyIsTheSameInAllRevisions(String one, String other) {
    Book book = desk.open(one, Tables.SHARED);
    book.begin(Map.of());
    assertThatThrownBy(
            () ->
                servers.sql(
                    """
                    insert into revision (
                      id, period_id, revision, base, definition_hash, owed, prepared_by,
                      prepared_at, reason)
                    select nextval('shared_outcome'), period_id, 2, 1, definition_hash, ?, 'test',
                      now(), 'a test'
                    from revision
                    """,
                    other))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("what becomes of what is owed");
  }
}
