package palmares.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import palmares.client.Event;
import palmares.client.PalmaresClient;

/** An event and the entity that it reports are stored by one transaction of JPA, or neither is. */
class JpaTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  DataSourceAutoConfiguration.class,
                  HibernateJpaAutoConfiguration.class,
                  TransactionAutoConfiguration.class,
                  JdbcTemplateAutoConfiguration.class,
                  JdbcClientAutoConfiguration.class,
                  PalmaresAutoConfiguration.class))
          .withUserConfiguration(Orders.class)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "palmares.client.url=http://localhost:1",
              "palmares.client.outbox.enabled=false");

  /** An order of a shop with JPA. */
  @Entity(name = "purchase")
  static class Purchase {
    @Id private String id;
  }

  @AutoConfigurationPackage
  static class Orders {
    private final EntityManager entities;
    private final PalmaresOutbox outbox;

    Orders(EntityManager entities, PalmaresOutbox outbox) {
      this.entities = entities;
      this.outbox = outbox;
    }

    @Transactional
    void place(String id, boolean fails) {
      var purchase = new Purchase();
      purchase.id = id;
      entities.persist(purchase);
      outbox.send(Event.of("order-" + id, "ann", "buy"));
      if (fails) {
        throw new IllegalStateException("no stock");
      }
    }

    @Transactional
    long count() {
      return entities.createQuery("select count(p) from purchase p", Long.class).getSingleResult();
    }
  }

  @Test
  void anEventIsStoredWithItsEntityOrNotAtAll() {
    application.run(
        context -> {
          assertThat(context.getBean(PlatformTransactionManager.class))
              .isInstanceOf(JpaTransactionManager.class);
          Orders orders = context.getBean(Orders.class);
          PalmaresOutbox outbox = context.getBean(PalmaresOutbox.class);
          orders.place("1", false);
          assertThat(outbox.waiting()).isOne();
          assertThatThrownBy(() -> orders.place("2", true)).hasMessage("no stock");
          assertThatThrownBy(() -> orders.place("1", false)).as("its key is taken");
          assertThat(outbox.waiting()).isOne();
          assertThat(orders.count()).isOne();
        });
  }

  /** It names its own level of isolation, which JPA has to pass on. */
  @Test
  void theSenderRunsInTransactionsOfJpa() {
    application
        .withPropertyValues("palmares.client.outbox.enabled=true")
        .run(
            context -> {
              assertThat(context).hasSingleBean(PalmaresClient.class);
              OutboxSender sender = context.getBean(OutboxSender.class);
              sender.stop();
              assertThat(sender.sendNext()).as("an empty outbox").isFalse();
            });
  }
}
