package palmares.ledger;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.ledger.Owing.Prize;
import palmares.period.Leases;
import palmares.testing.Records;
import palmares.testing.Rules;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Whatever is awarded, amended, retried, raced or broken off, accounts hold what they must. */
@WorldTest
class LedgerModelTest {
  private static final int STEPS = 40;
  private static final List<String> OWED = List.of("take", "write-off", "debt");
  private static final List<String> CURRENCIES = List.of("credits", "credits", "gems");

  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;
  @Autowired private Ledger ledger;
  @Autowired private Leases leases;
  @Autowired private JdbcClient jdbc;
  @Autowired private TransactionTemplate transaction;

  private final Owing model = new Owing();

  private Book book(String owed) {
    var period = world.open(world.board(Rules.day()));
    return new Book(jdbc, transaction, ledger, leases, period, owed);
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 6);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whateverIsAmendedEachAccountHoldsWhatItMust(long seed) throws Exception {
    var random = new Random(seed);
    var books = new ArrayList<Book>();
    for (String owed : OWED) {
      Book book = book(owed);
      book.begin(awards(random, Map.of()));
      pay(book, random);
      books.add(book);
      assertBalanced(seed, -1);
    }
    for (int step = 0; step < STEPS; step++) {
      Book book = books.get(random.nextInt(books.size()));
      switch (random.nextInt(6)) {
        case 0 -> {
          Map<List<String>, Prize> stood = book.written();
          book.begin(awards(random, stood));
          book.reject();
          book.begin(stood);
          pay(book, random);
        }
        case 1 -> again(book, random);
        default -> {
          book.begin(awards(random, book.written()));
          pay(book, random);
        }
      }
      assertBalanced(seed, step);
    }
  }

  /** Once, twice, after a death, or from three sides at a time. */
  private void pay(Book book, Random random) throws Exception {
    switch (random.nextInt(4)) {
      case 0 -> book.post();
      case 1 -> assertThat(book.post()).isEqualTo(book.post());
      case 2 -> {
        book.postInVain();
        book.post();
      }
      default -> race(book);
    }
    book.stands(model);
  }

  private static void race(Book book) throws Exception {
    var sides = Executors.newFixedThreadPool(3);
    try {
      var start = new CyclicBarrier(3);
      var posting = new ArrayList<Future<Posted>>();
      for (int side = 0; side < 3; side++) {
        posting.add(
            sides.submit(
                () -> {
                  start.await();
                  return book.post();
                }));
      }
      Posted first = posting.get(0).get();
      for (var posted : posting) {
        assertThat(posted.get()).isEqualTo(first);
      }
    } finally {
      sides.shutdownNow();
    }
  }

  /** What was posted once is there, whatever was posted since. */
  private void again(Book book, Random random) {
    long before = records.number("select count(*) from transfer");
    book.post(book.standing());
    book.post(1);
    assertThat(records.number("select count(*) from transfer")).isEqualTo(before);
  }

  /** Some as they were, some more, some less, some gone, some new, some in another currency. */
  private static Map<List<String>, Prize> awards(Random random, Map<List<String>, Prize> before) {
    var awards = new HashMap<>(before);
    awards.keySet().removeIf(key -> random.nextInt(4) == 0);
    for (int i = 0; i < 4; i++) {
      String rule = "r" + random.nextInt(3);
      String currency = CURRENCIES.get(random.nextInt(CURRENCIES.size()));
      awards.put(
          List.of("m" + random.nextInt(5), rule),
          new Prize(rule, currency, 1 + random.nextInt(100)));
    }
    return awards;
  }

  private void assertBalanced(long seed, int step) {
    assertThat(records.number("select count(*) from trial_balance where balance <> transferred"))
        .as("accounts off, seed %d, step %d", seed, step)
        .isZero();
    assertThat(
            records.number(
                """
                select count(*) from (
                  select currency from entry join account on account.id = account_id
                  group by currency
                  having sum(amount) <> 0) broken
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
  void aRuleWhoseCurrencyChangesGivesBackInTheOldAndPaysInTheNew() {
    Book book = book("take");
    book.begin(Map.of(List.of("ann", "prize"), new Prize("prize", "credits", 100)));
    book.post();
    book.stands(model);
    book.begin(Map.of(List.of("ann", "prize"), new Prize("prize", "gems", 7)));
    assertThat(book.post().transfers()).isEqualTo(2);
    book.stands(model);
    assertBalanced(0, 0);
  }

  @ParameterizedTest
  @CsvSource({"take, debt", "debt, write-off", "write-off, take"})
  void whatBecomesOfWhatIsOwedDoesNotChangeFromRevisionToRevision(String one, String other) {
    Book book = book(one);
    book.begin(Map.of());
    assertThatThrownBy(
            () ->
                servers.sql(
                    """
                    insert into revision (
                      period_id, revision, base, definition_hash, owed, prepared_by, prepared_at,
                      reason)
                    select period_id, 2, 1, definition_hash, ?, 'test', now(), 'a test'
                    from revision
                    """,
                    other))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("what becomes of what is owed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update transfer set amount = amount + 1",
        "delete from transfer",
        "truncate transfer cascade",
        "update entry set amount = -amount",
        "delete from entry",
        "truncate entry",
        "update account set name = 'eve'",
        "update account set currency = 'gems'",
        "delete from account",
        "truncate account cascade",
        "update act set by = 'eve'",
        "delete from act",
        "truncate act",
        "update act_link set hash = ''",
        "delete from act_link",
        "truncate act_link",
        "update manifest set written_at = now()",
        "delete from manifest",
        "truncate manifest"
      })
  void nothingIsEditedEvenWhereASessionAsksForNoTriggers(String sql) {
    Book book = book("take");
    book.begin(Map.of(List.of("ann", "prize"), new Prize("prize", "credits", 100)));
    book.post();
    servers.sql(
        """
        insert into act (at, by, verb, reason) values (now(), 'ann', 'close', 'why')
        """);
    servers.sql(
        """
        insert into manifest (period_id, revision, body, hash, written_at)
        select period_id, 1, 'x', encode(sha256('x'), 'hex'), now() from revision
        """);
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      servers.sql("set local session_replication_role = replica");
                      servers.sql(sql);
                    }))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("refused");
  }
}
