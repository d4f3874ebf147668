package palmares.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import palmares.client.Confirmation;
import palmares.client.Fact;

/** Listeners of beans that Spring has put behind a proxy. */
class ProxiedListenersTest {
  private static final Fact FACT =
      new Fact("rank.left:1", "rank.left", Instant.EPOCH, "orders", "2026-11-20", null, Map.of());

  private final WebApplicationContextRunner web =
      new WebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  AopAutoConfiguration.class,
                  TransactionAutoConfiguration.class,
                  DataSourceAutoConfiguration.class,
                  DataSourceTransactionManagerAutoConfiguration.class,
                  JdbcTemplateAutoConfiguration.class,
                  JdbcClientAutoConfiguration.class,
                  PalmaresAutoConfiguration.class))
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "palmares.client.webhook.secrets[0]=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  /** What beans are asked for. */
  interface Heard {
    int count();
  }

  /** Of a proxy, the fields are never set. */
  @Component
  static class OfClass {
    private int count;
    private final List<String> names = List.of("field");

    @Transactional
    @PalmaresListener("rank.*")
    void listen(Fact fact) {
      assertThat(names).contains("field");
      assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
      count++;
    }

    int count() {
      return count;
    }
  }

  @Test
  void aMethodOfAClassIsCalledThroughItsProxy() {
    web.withUserConfiguration(OfClass.class)
        .run(
            context -> {
              assertThat(AopUtils.isCglibProxy(context.getBean(OfClass.class))).isTrue();
              context.getBean(FactListeners.class).call(FACT);
              assertThat(context.getBean(OfClass.class).count()).isOne();
            });
  }

  /** Listens, too. */
  interface Listens extends Heard {
    Confirmation listen(Fact fact);
  }

  @Component
  static class OfInterface implements Listens {
    private int count;

    @Override
    @Transactional
    @PalmaresListener("rank.*")
    public Confirmation listen(Fact fact) {
      count++;
      return null;
    }

    @Override
    public int count() {
      return count;
    }
  }

  @Test
  void aMethodOfAnInterfaceIsCalledThroughItsProxy() {
    web.withPropertyValues("spring.aop.proxy-target-class=false")
        .withUserConfiguration(OfInterface.class)
        .run(
            context -> {
              assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Heard.class))).isTrue();
              context.getBean(FactListeners.class).call(FACT);
              assertThat(context.getBean(Heard.class).count()).isOne();
            });
  }

  @Component
  static class NotOfItsInterface implements Heard {
    @Transactional
    @PalmaresListener("rank.*")
    public void listen(Fact fact) {}

    @Override
    public int count() {
      return 0;
    }
  }

  @Test
  void aMethodThatAProxyDoesNotHaveIsRefusedAtTheStart() {
    web.withPropertyValues("spring.aop.proxy-target-class=false")
        .withUserConfiguration(NotOfItsInterface.class)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasMessageContaining("listen")
                    .hasMessageContaining("NotOfItsInterface"));
  }

  @Component
  static class Private {
    @PalmaresListener("rank.*")
    private void listen(Fact fact) {}

    @Transactional
    void other() {}
  }

  @Test
  void aPrivateMethodThatAProxyCannotPassOnIsRefusedAtTheStart() {
    web.withUserConfiguration(Private.class)
        .run(context -> assertThat(context).getFailure().hasMessageContaining("listen"));
  }
}
