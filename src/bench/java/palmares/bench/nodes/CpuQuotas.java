package palmares.bench.nodes;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import palmares.bench.ShutdownHook;

/**
 * Limits processor time of other processes by control groups of Linux, so that several processes on
 * one machine show what several machines would do. Only processes that the benchmark has started
 * may be limited: the end of a limit moves them to the root group, wherever they were before.
 */
public final class CpuQuotas implements AutoCloseable {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");

  /** Short, so that a process is never kept from running for longer. */
  private static final long PERIOD_MICROS = 20_000;

  /** The benchmark's process, and the one that is limited. */
  private static final String NAME = "palmares-bench-%d-%d";

  private static final Pattern NAMED = Pattern.compile("palmares-bench-(\\d+)-\\d+");

  private static final int DELETIONS = 50;
  private static final Duration BETWEEN_DELETIONS = Duration.ofMillis(20);

  private static final double TRIED_CORES = 0.1;
  private static final Duration TRIAL = Duration.ofMillis(300);

  private final Kind kind;
  private final @Nullable String refusal;
  private final Map<Long, Path> groups = new HashMap<>();
  private final ShutdownHook hook = new ShutdownHook(this::deleteGroups);
  private boolean closed;

  private CpuQuotas(Kind kind, @Nullable String refusal) {
    this.kind = kind;
    this.refusal = refusal;
  }

  /**
   * A version of control groups.
   *
   * @param parent the folder of new groups
   * @param unified whether it is version 2
   */
  private record Kind(Path parent, boolean unified) {
    static Kind ofThisMachine() {
      boolean unified = Files.exists(GROUPS.resolve("cgroup.controllers"));
      return new Kind(unified ? GROUPS : GROUPS.resolve("cpu"), unified);
    }

    void enable() throws IOException {
      if (unified) {
        write(parent.resolve("cgroup.subtree_control"), "+cpu");
      }
    }

    void limit(Path group, double cores) throws IOException {
      long micros = Math.max(1_000, Math.round(cores * PERIOD_MICROS));
      if (unified) {
        write(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
      } else {
        write(group.resolve("cpu.cfs_period_us"), "" + PERIOD_MICROS);
        write(group.resolve("cpu.cfs_quota_us"), "" + micros);
      }
    }

    void lift(Path group) throws IOException {
      if (unified) {
        write(group.resolve("cpu.max"), "max");
      } else {
        write(group.resolve("cpu.cfs_quota_us"), "-1");
      }
    }

    void move(long pid, Path group) throws IOException {
      write(group.resolve("cgroup.procs"), "" + pid);
    }

    private static void write(Path file, String text) throws IOException {
      Files.writeString(file, text, WRITE);
    }
  }

  /**
   * Tries a quota on a process that does nothing but use its processor. Groups of a benchmark that
   * was killed are deleted before.
   */
  public static CpuQuotas ofThisMachine() {
    Kind kind = Kind.ofThisMachine();
    try (var trial = new CpuQuotas(kind, null)) {
      kind.enable();
      trial.deleteLeftGroups();
      return new CpuQuotas(kind, trial.tried());
    } catch (IOException e) {
      return new CpuQuotas(kind, e.toString());
    } catch (UncheckedIOException e) {
      return new CpuQuotas(kind, String.valueOf(e.getCause()));
    }
  }

  private @Nullable String tried() throws IOException {
    Process busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      limit(busy.pid(), TRIED_CORES);
      busy.waitFor(TRIAL.toMillis(), TimeUnit.MILLISECONDS);
      Duration used = busy.info().totalCpuDuration().orElse(TRIAL);
      return used.compareTo(TRIAL.dividedBy(2)) < 0
          ? null
          : "a process with %s of a core used %s in %s".formatted(TRIED_CORES, used, TRIAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a quota was tried", e);
    } finally {
      busy.destroyForcibly().onExit().join();
    }
  }

  /** The folder of the groups of this machine. */
  static Path parent() {
    return Kind.ofThisMachine().parent();
  }

  /** Why processes cannot be limited here; null if they can. */
  public @Nullable String refusal() {
    return refusal;
  }

  /**
   * Limits a process and all its threads.
   *
   * @param pid of a process that the benchmark has started
   * @param cores processor seconds in a second
   */
  synchronized void limit(long pid, double cores) {
    if (closed) {
      throw new IllegalStateException("the limits are ended");
    }
    try {
      Path group = groups.get(pid);
      if (group == null) {
        group = kind.parent().resolve(NAME.formatted(ProcessHandle.current().pid(), pid));
        Files.createDirectory(group);
        groups.put(pid, group);
        kind.move(pid, group);
      }
      kind.limit(group, cores);
    } catch (IOException e) {
      throw new UncheckedIOException("process %d cannot be limited: %s".formatted(pid, e), e);
    }
  }

  /** Ends all limits; the processes go on. */
  synchronized void lift() {
    try {
      for (Path group : groups.values()) {
        kind.lift(group);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("limits of processes cannot be ended: " + e, e);
    }
  }

  /** Ends all limits, and deletes the groups. */
  @Override
  public void close() {
    hook.close();
    deleteGroups();
  }

  private synchronized void deleteGroups() {
    closed = true;
    groups.values().forEach(this::delete);
    groups.clear();
  }

  private void deleteLeftGroups() throws IOException {
    try (Stream<Path> all = Files.list(kind.parent())) {
      all.filter(CpuQuotas::isLeft).toList().forEach(this::delete);
    }
  }

  /** Whether a group is that of a benchmark whose process is gone. */
  private static boolean isLeft(Path group) {
    Matcher name = NAMED.matcher(String.valueOf(group.getFileName()));
    return name.matches()
        && ProcessHandle.of(Long.parseLong(name.group(1))).filter(ProcessHandle::isAlive).isEmpty();
  }

  /** A process of the group may be ending just now: it moves no more, but keeps the group. */
  private void delete(Path group) {
    for (int tries = 0; tries < DELETIONS; tries++) {
      try {
        kind.lift(group);
        for (String pid : pids(group)) {
          kind.move(Long.parseLong(pid), kind.parent());
        }
        Files.delete(group);
        return;
      } catch (IOException left) {
        // If it stays, an empty group limits nothing.
        LockSupport.parkNanos(BETWEEN_DELETIONS.toNanos());
      }
    }
  }

  private static List<String> pids(Path group) throws IOException {
    return new ArrayList<>(Files.readAllLines(group.resolve("cgroup.procs")));
  }
}
