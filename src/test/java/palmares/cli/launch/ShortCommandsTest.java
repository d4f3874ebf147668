package palmares.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.env.MockEnvironment;

/** What commands do without, and that servers have it. */
class ShortCommandsTest {
  private static final List<String> ALL =
      StreamSupport.stream(
              ImportCandidates.load(
                      AutoConfiguration.class, ShortCommandsTest.class.getClassLoader())
                  .spliterator(),
              false)
          .toList();

  @Test
  void aServerHasAllAutoConfigurations() {
    assertThat(kept(false)).isEqualTo(ALL);
  }

  @Test
  void aCommandHasTheDatabaseAndItsMetersButNothingOfAServer() {
    List<String> kept = kept(true);
    assertThat(names(kept))
        .contains(
            "DataSourceAutoConfiguration",
            "FlywayAutoConfiguration",
            "DataRedisAutoConfiguration",
            "BatchJobLauncherAutoConfiguration",
            "MetricsAutoConfiguration",
            "SimpleMetricsExportAutoConfiguration",
            "ObservationAutoConfiguration");
    assertThat(names(kept))
        .doesNotContain(
            "QuartzAutoConfiguration",
            "HealthEndpointAutoConfiguration",
            "DataRedisHealthContributorAutoConfiguration",
            "JvmMetricsAutoConfiguration",
            "PrometheusMetricsExportAutoConfiguration");
  }

  @Test
  void everyRuleLeavesOutSomethingThatExists() {
    for (String rule : ShortCommands.OF_SERVERS) {
      assertThat(ALL).as(rule).anyMatch(name -> name.endsWith(rule));
    }
    assertThat(ALL).anyMatch(name -> name.endsWith(ShortCommands.METERS));
  }

  private static List<String> names(List<String> classes) {
    return classes.stream().map(name -> name.substring(name.lastIndexOf('.') + 1)).toList();
  }

  private static List<String> kept(boolean shortCommand) {
    var filter = new ShortCommands();
    filter.setEnvironment(
        new MockEnvironment().withProperty(ShortCommands.PROPERTY, "" + shortCommand));
    var none =
        (AutoConfigurationMetadata)
            Proxy.newProxyInstance(
                ShortCommandsTest.class.getClassLoader(),
                new Class<?>[] {AutoConfigurationMetadata.class},
                (proxy, method, arguments) -> null);
    boolean[] matches = filter.match(ALL.toArray(String[]::new), none);
    return IntStream.range(0, matches.length).filter(i -> matches[i]).mapToObj(ALL::get).toList();
  }

  @Test
  void onlyBeansThatExistAreStartedAndAllOfThemAreStopped() {
    var eager = new Part();
    var lazy = new Part();
    var context = new GenericApplicationContext();
    ShortCommands.startExistingBeansOnly(context);
    context.registerBean("eager", Part.class, () -> eager);
    context.registerBean("lazy", Part.class, () -> lazy, bean -> bean.setLazyInit(true));
    context.refresh();
    assertThat(eager.starts).isOne();
    assertThat(context.getBeanFactory().containsSingleton("lazy")).isFalse();
    context.getBean("lazy", Part.class).start();
    context.close();
    assertThat(eager.running).isFalse();
    assertThat(lazy.running).isFalse();
  }

  private static final class Part implements SmartLifecycle {
    private int starts;
    private boolean running;

    @Override
    public void start() {
      starts++;
      running = true;
    }

    @Override
    public void stop() {
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }
  }
}
