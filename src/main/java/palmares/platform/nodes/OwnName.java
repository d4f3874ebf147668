package palmares.platform.nodes;

import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.nodes.Nodes.Holder;
import palmares.platform.nodes.ShutdownDelay.Pause;

/**
 * Refuses the start of a server whose name another one has. The next heartbeat says that the other
 * runs; without one it counts as dead after 25 seconds, for which the start waits. Process ids say
 * nothing about it: containers with one host name have their own.
 */
@Component
class OwnName implements InitializingBean {
  private static final Logger LOG = LoggerFactory.getLogger(OwnName.class);
  private static final Duration INTERVAL = Duration.ofMillis(250);

  /** Without a heartbeat the wait ends after these, whether or not a clock moves. */
  private static final long MAX_PAUSES = Nodes.MAX_HEARTBEAT_AGE.dividedBy(INTERVAL);

  private final Nodes nodes;
  private final Pause pause;

  @Autowired
  OwnName(Nodes nodes) {
    this(nodes, time -> Thread.sleep(time.toMillis()));
  }

  OwnName(Nodes nodes, Pause pause) {
    this.nodes = nodes;
    this.pause = pause;
  }

  /**
   * Waits until nobody has the name.
   *
   * @throws ServersUnavailable if a server that runs has it
   */
  @Override
  public void afterPropertiesSet() {
    if (!nodes.isServer()) {
      return;
    }
    Optional<Holder> first = nodes.holder();
    if (first.isEmpty()) {
      return;
    }
    Holder holder = first.get();
    LOG.info(
        "{} had the name {} a moment ago: waits until it sends a heartbeat or counts as dead",
        holder.process(),
        nodes.name());
    awaitEnd(holder);
  }

  private void awaitEnd(Holder first) {
    Optional<Holder> present = Optional.of(first);
    for (long i = 0; i <= MAX_PAUSES && present.isPresent(); i++) {
      if (!present.get().equals(first)) {
        throw taken(present.get());
      }
      try {
        pause.await(INTERVAL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw taken(first);
      }
      present = nodes.holder();
    }
  }

  private ServersUnavailable taken(Holder holder) {
    return new ServersUnavailable(
        new NodeSentences.NameTaken(nodes.name(), holder.process()),
        new NodeSentences.NameDifferently());
  }
}
