package palmares.testing;

import java.util.Map;
import java.util.UUID;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.test.util.ReflectionTestUtils;
import palmares.api.identity.People;
import palmares.platform.time.SettableClock;

/** Brings a clock that tests move, before the application would make its own, and the fixtures. */
class MovedClock implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  @Override
  public void initialize(ConfigurableApplicationContext context) {
    // All tests call from one address.
    // Quartz keeps its connections in one map of the JVM, by the scheduler's name.
    TestPropertyValues.of(
            "spring.quartz.properties.org.quartz.scheduler.instanceName=" + UUID.randomUUID(),
            "palmares.anchors.folder=target/anchors/" + UUID.randomUUID(),
            "palmares.limits.sign-ins-per-address=1000",
            "palmares.limits.wrong-sessions-per-address=1000000")
        .applyTo(context);
    var beans = (GenericApplicationContext) context;
    beans.getBeanFactory().addBeanPostProcessor(new QuickPasswords());
    beans.registerBean(SettableClock.class, () -> new SettableClock(World.START));
    beans.registerBean(TestBoards.class);
    beans.registerBean(Servers.class);
    beans.registerBean(World.class);
    beans.registerBean(Records.class);
    beans.registerBean(Acts.class);
  }

  /** Hashes a password in a millisecond, because no test has one to protect. */
  private static final class QuickPasswords implements BeanPostProcessor {
    private static final int LEAST_STRENGTH = 4;

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
      if (bean instanceof People) {
        var encoder =
            new DelegatingPasswordEncoder(
                "bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(LEAST_STRENGTH)));
        encoder.setDefaultPasswordEncoderForMatches(
            PasswordEncoderFactories.createDelegatingPasswordEncoder());
        ReflectionTestUtils.setField(bean, "encoder", encoder);
      }
      return bean;
    }
  }
}
