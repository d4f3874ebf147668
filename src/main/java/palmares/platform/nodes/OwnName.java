package palmares.platform.nodes;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.nodes.Nodes.Holder;
import palmares.platform.nodes.ShutdownDelay.Pause;

/**
 * Refuses the start of a server whose name another one has. A process on this machine that has
 * ended gives the name up at once. Of one elsewhere, the next heartbeat says that it runs; without
 * one it counts as dead after 25 seconds, for which the start waits.
 */
@Component
class OwnName implements InitializingBean {
  private static final Logger LOG = LoggerFactory.getLogger(OwnName.class);
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Nodes nodes;
  private final LongPredicate runsHere;
  private final String process;
  private final Pause pause;

  @Autowired
  OwnName(Nodes nodes) {
    this(
        nodes,
        pid -> ProcessHandle.of(pid).isPresent(),
        ThisProcess.NAME,
        time -> Thread.sleep(time.toMillis()));
  }

  /**
   * @param runsHere whether a process with this id runs on this machine
   * @param process host name and process id of this one
   */
  OwnName(Nodes nodes, LongPredicate runsHere, String process, Pause pause) {
    this.nodes = nodes;
    this.runsHere = runsHere;
    this.process = process;
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
    if (isOfThisMachine(holder)) {
      if (runsHere.test(pid(holder))) {
        throw taken(holder);
      }
      nodes.release(holder);
      return;
    }
    LOG.info(
        "{} had the name {} a moment ago: waits until it sends a heartbeat or counts as dead",
        holder.process(),
        nodes.name());
    awaitEnd(holder);
  }

  private void awaitEnd(Holder first) {
    Optional<Holder> present = Optional.of(first);
    while (present.isPresent()) {
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

  /** A process of another container may have this host name, and even this process id. */
  private boolean isOfThisMachine(Holder holder) {
    return host(holder.process()).equals(host(process)) && !holder.process().equals(process);
  }

  private static String host(String process) {
    return process.substring(0, process.lastIndexOf(':'));
  }

  private static long pid(Holder holder) {
    return Long.parseLong(holder.process().substring(holder.process().lastIndexOf(':') + 1));
  }

  private ServersUnavailable taken(Holder holder) {
    return new ServersUnavailable(
        new NodeSentences.NameTaken(nodes.name(), holder.process()),
        new NodeSentences.NameDifferently());
  }
}
