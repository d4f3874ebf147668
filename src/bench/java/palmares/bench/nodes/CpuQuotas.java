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
import org.jspecify.annotations.Nullable;

/**
 * Limits processor time of other processes by control groups of Linux, so that several processes on
 * one machine show what several machines would do.
 */
public final class CpuQuotas implements AutoCloseable {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");

  /** Short, so that a process is never kept from running for longer. */
  private static final long PERIOD_MICROS = 20_000;

  private static final double TRIED_CORES = 0.1;
  private static final Duration TRIAL = Duration.ofMillis(300);

  private final Kind kind;
  private final @Nullable String refusal;
  private final Map<Long, Path> groups = new HashMap<>();

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

  /** Tries a quota on a process that does nothing but use its processor. */
  public static CpuQuotas ofThisMachine() {
    Kind kind = Kind.ofThisMachine();
    try (var trial = new CpuQuotas(kind, null)) {
      kind.enable();
      return new CpuQuotas(kind, trial.tried());
    } catch (IOException | UncheckedIOException e) {
      return new CpuQuotas(kind, String.valueOf(e.getMessage()));
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

  /** Why processes cannot be limited here; null if they can. */
  public @Nullable String refusal() {
    return refusal;
  }

  /**
   * Limits a process and all its threads.
   *
   * @param cores processor seconds in a second
   */
  void limit(long pid, double cores) {
    try {
      Path group = groups.get(pid);
      if (group == null) {
        group = kind.parent().resolve("palmares-bench-" + pid);
        Files.createDirectory(group);
        groups.put(pid, group);
        kind.move(pid, group);
      }
      kind.limit(group, cores);
    } catch (IOException e) {
      throw new UncheckedIOException("process %d cannot be limited".formatted(pid), e);
    }
  }

  /** Ends all limits; the processes go on. */
  void lift() {
    try {
      for (Path group : groups.values()) {
        kind.lift(group);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("limits of processes cannot be ended", e);
    }
  }

  /** Ends all limits, and deletes the groups. */
  @Override
  public void close() {
    groups.values().forEach(this::delete);
    groups.clear();
  }

  private void delete(Path group) {
    try {
      for (String pid : pids(group)) {
        kind.move(Long.parseLong(pid), kind.parent());
      }
      Files.delete(group);
    } catch (IOException left) {
      // An empty group limits nothing.
    }
  }

  private static List<String> pids(Path group) throws IOException {
    return new ArrayList<>(Files.readAllLines(group.resolve("cgroup.procs")));
  }
}
