package palmares.testing;

import java.util.UUID;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
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
    beans.registerBean(SettableClock.class, () -> new SettableClock(World.START));
    beans.registerBean(TestBoards.class);
    beans.registerBean(Servers.class);
    beans.registerBean(World.class);
    beans.registerBean(Records.class);
  }
}
