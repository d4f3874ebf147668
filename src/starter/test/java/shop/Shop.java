package shop;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import palmares.client.Confirmation;
import palmares.client.Event;
import palmares.client.Fact;
import palmares.spring.PalmaresListener;
import palmares.spring.PalmaresOutbox;

/** The sample: an order brings coins, and the best of the day get credits. */
@SpringBootApplication
public class Shop {
  public static void main(String... arguments) {
    SpringApplication.run(Shop.class, arguments);
  }

  /** Takes orders: each is stored once, together with its event. */
  @RestController
  static class Orders {
    private final JdbcClient jdbc;
    private final PalmaresOutbox outbox;

    Orders(JdbcClient jdbc, PalmaresOutbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @Transactional
    @PutMapping("/orders/{id}")
    void place(
        @PathVariable String id,
        @RequestParam String member,
        @RequestParam int coins,
        @RequestParam(defaultValue = "false") boolean fails) {
      if (jdbc.sql("select 1 from shop_order where id = ?").param(id).query().listOfRows().size()
          > 0) {
        return;
      }
      jdbc.sql("insert into shop_order (id, member, coins) values (?, ?, ?)")
          .params(id, member, coins)
          .update();
      outbox.send(Event.of("order-" + id, member, "buy").on(id).times(coins));
      if (fails) {
        throw new IllegalStateException("the payment of order %s failed".formatted(id));
      }
    }
  }

  /**
   * Lists what the wallet has credited, page by page, for Palmares to compare. It lists all
   * credits, whichever time is asked for: Palmares misses none, and the others are right, too.
   * Pages begin after the last award of the one before, so that a credit that is added meanwhile
   * moves no other; and a page has all credits of its last award, so that one that came twice is
   * seen.
   */
  @RestController
  static class Credits {
    private static final int PAGE = 5;

    private final JdbcClient jdbc;
    private final String token;

    Credits(JdbcClient jdbc, @Value("${shop.token}") String token) {
      this.jdbc = jdbc;
      this.token = token;
    }

    record Credit(String id, long amount) {}

    record Page(List<Credit> credits, @Nullable String cursor) {}

    @GetMapping("/credits")
    ResponseEntity<Page> list(
        @RequestHeader("Authorization") String authorization,
        @RequestParam(defaultValue = "") String cursor) {
      if (!authorization.equals("Bearer " + token)) {
        return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
      }
      List<Credit> credits =
          jdbc.sql(
                  "select award as id, amount from shop_credit where amount > 0 and award > ?"
                      + " order by award fetch first ? rows with ties")
              .params(cursor, PAGE)
              .query(Credit.class)
              .list();
      String next = credits.size() < PAGE ? null : credits.get(credits.size() - 1).id();
      return ResponseEntity.ok(new Page(credits, next));
    }
  }

  /** Credits awards to accounts, and takes back what was credited. */
  @Component
  static class Wallet {
    private final JdbcClient jdbc;

    Wallet(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @PalmaresListener("award.paid")
    Confirmation credit(Fact fact) {
      Fact.Award award = fact.award();
      if (isClosed(award.member())) {
        return Confirmation.refused(fact, "the account is closed");
      }
      insert(fact, award.amount());
      int updated =
          jdbc.sql("update shop_wallet set balance = balance + ? where member = ?")
              .params(award.amount(), award.member())
              .update();
      if (updated == 0) {
        jdbc.sql("insert into shop_wallet (member, balance) values (?, ?)")
            .params(award.member(), award.amount())
            .update();
      }
      return Confirmation.credited(fact);
    }

    /** An award that it refused was never credited, so that there is nothing to take back. */
    @PalmaresListener("award.returned")
    Confirmation takeBack(Fact fact) {
      Fact.Award award = fact.award();
      if (credited(fact) >= award.amount()) {
        int updated =
            jdbc.sql(
                    "update shop_wallet set balance = balance - ? where member = ? and balance >="
                        + " ?")
                .params(award.amount(), award.member(), award.amount())
                .update();
        if (updated == 0) {
          return Confirmation.refused(fact, "the credits are spent");
        }
        insert(fact, -award.amount());
      }
      return Confirmation.returned(fact);
    }

    private void insert(Fact fact, long amount) {
      Fact.Award award = fact.award();
      jdbc.sql(
              "insert into shop_credit (award, board, period, rule, member, amount)"
                  + " values (?, ?, ?, ?, ?, ?)")
          .params(award.transfer(), fact.board(), fact.period(), award.rule())
          .params(award.member(), amount)
          .update();
    }

    /** What the member has of the rule in the period. */
    private long credited(Fact fact) {
      return jdbc.sql(
              "select coalesce(sum(amount), 0) from shop_credit"
                  + " where board = ? and period = ? and rule = ? and member = ?")
          .params(fact.board(), fact.period(), fact.award().rule(), fact.award().member())
          .query(Long.class)
          .single();
    }

    private boolean isClosed(String member) {
      return jdbc.sql("select count(*) from shop_closed_account where member = ?")
              .param(member)
              .query(Long.class)
              .single()
          > 0;
    }
  }
}
