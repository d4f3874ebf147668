package palmares.settlement.reward;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.period.BoardDefinitions;
import palmares.period.Lease;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.rules.board.Board;
import palmares.rules.boardfiles.BoardFiles;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.outcome.Revision;
import palmares.settlement.outcome.Revision.Verdict;
import palmares.settlement.outcome.Revisions;
import palmares.settlement.outcome.Revisions.Tables;
import palmares.settlement.reward.Owing.Prize;
import palmares.testing.Rules;
import palmares.testing.World;

/** The outcomes of one period with awards written by hand: filled, and posted in their order. */
final class Book {
  private final Desk desk;
  private final String owed;
  private final Tables tables;
  private final Period period;
  private final Lease lease;
  private int last;
  private int standing;
  private Map<List<String>, Prize> written = Map.of();

  /** What books are written with. */
  record Desk(
      World world,
      JdbcClient jdbc,
      TransactionTemplate transaction,
      BoardDefinitions definitions,
      Leases leases,
      Revisions revisions,
      PaymentDifferences differences) {

    /** A book of a new board. */
    Book open(String owed, Tables tables) {
      Period period = world.open(world.board(rules(owed)));
      return new Book(this, owed, tables, period);
    }
  }

  private Book(Desk desk, String owed, Tables tables, Period period) {
    this.desk = desk;
    this.owed = owed;
    this.tables = tables;
    this.period = period;
    this.lease = desk.leases.take(period.id(), "test").orElseThrow();
  }

  /** A board with these rewards, and one that pays nobody here. */
  private static Rules rules(String owed, String... rewards) {
    return Rules.day()
        .with("payout: { owed: %s }".formatted(owed))
        .with(
            Stream.concat(Stream.of("{ rule: nobody, taking-part: 1 }"), Stream.of(rewards))
                .collect(joining(", ", "rewards: [", "]")));
  }

  /** Fills an outcome with these awards; from the second on it amends the one in force. */
  void begin(Map<List<String>, Prize> awards) {
    next(awards);
    held(
        () -> {
          Board rules = awarding();
          if (last == 1) {
            close(rules);
          } else {
            amend(rules);
          }
          desk.revisions.markFilled(outcome());
        });
  }

  /** Fills own tables with these awards, and does not attach them. */
  void beginUnattached(Map<List<String>, Prize> awards) {
    next(awards);
    held(
        () -> {
          int outcome = desk.revisions.begin(period, awarding(), "test", Tables.OWN);
          write(outcome, OutcomeTables.payments(outcome));
        });
  }

  private void next(Map<List<String>, Prize> awards) {
    last++;
    written = new TreeMap<>((one, other) -> ("" + one).compareTo("" + other));
    written.putAll(awards);
  }

  /** Runs in a transaction of the owner. */
  void held(Runnable work) {
    desk.transaction.executeWithoutResult(
        status -> {
          desk.leases.hold(lease);
          work.run();
        });
  }

  private Board awarding() {
    String[] rewards =
        written.values().stream()
            .map(
                prize ->
                    "{ rule: %s, taking-part: 1, currency: %s }"
                        .formatted(prize.rule(), prize.currency()))
            .distinct()
            .toArray(String[]::new);
    return BoardFiles.parse(period.board(), rules(owed, rewards).text());
  }

  private void close(Board rules) {
    int outcome = desk.revisions.begin(period, rules, "test", tables);
    write(outcome, OutcomeTables.payments(outcome));
    if (tables == Tables.OWN) {
      desk.revisions.attach(outcome);
    }
  }

  private void amend(Board rules) {
    desk.definitions.store(rules);
    Revision base = desk.revisions.find(period.id(), standing).orElseThrow();
    desk.revisions.amend(base, rules, "test", "a test");
    desk.differences.begin();
    write(outcome(), RevisionContext.AMENDMENT);
    desk.differences.write(revision());
  }

  private void write(int outcome, String table) {
    written.forEach(
        (key, prize) ->
            desk.jdbc
                .sql(
                    """
                    insert into %s (outcome, rule, purpose, member, amount)
                    select outcome, rule, 1, ?, ? from prize
                    where outcome = ? and name = ? and currency = ?
                    """
                        .formatted(table))
                .params(key.get(0), prize.credits(), outcome, prize.rule(), prize.currency())
                .update());
  }

  /** The outcome that was begun last is given up. */
  void reject() {
    decide(Verdict.REJECTED);
  }

  void approve() {
    decide(Verdict.APPROVED);
  }

  private void decide(Verdict verdict) {
    desk.transaction.executeWithoutResult(
        status -> desk.revisions.decide(period.id(), last, verdict, "test", "a test"));
  }

  long post() {
    return post(last);
  }

  long post(int number) {
    return desk.transaction.execute(status -> desk.revisions.post(lease, number).payments());
  }

  /** Posts, then dies before the commit. */
  void requirePostingRefused() {
    desk.transaction.executeWithoutResult(
        status -> {
          desk.revisions.post(lease, last);
          status.setRollbackOnly();
        });
  }

  /** Marks the posted outcome as the one to amend. */
  void isAsIn(Owing model) {
    standing = last;
    model.posted(period.board().value(), period.id(), owed, written);
  }

  Lease lease() {
    return lease;
  }

  Revision revision() {
    return desk.revisions.find(period.id(), last).orElseThrow();
  }

  int outcome() {
    return revision().id();
  }

  int standing() {
    return standing;
  }

  Map<List<String>, Prize> written() {
    return written;
  }
}
