package palmares.settlement.closing;

import static java.util.Objects.requireNonNull;

import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.partition.StepExecutionSplitter;
import org.springframework.batch.core.partition.support.TaskExecutorPartitionHandler;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.scope.context.StepSynchronizationManager;
import org.springframework.batch.core.step.AbstractStep;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.stereotype.Component;
import palmares.period.Leases;
import palmares.period.exclusion.FrozenExclusions.InForce;
import palmares.platform.bulk.BulkLoad;
import palmares.platform.bulk.CopyPipe;
import palmares.platform.threads.LogContext;
import palmares.settlement.closing.ClosingSlices.Filled;
import palmares.settlement.closing.ClosingSlices.Slice;
import palmares.settlement.lines.ClosingLines;
import palmares.settlement.lines.ClosingLines.Streamed;
import palmares.settlement.outcome.OutcomeTables;
import palmares.settlement.reward.Awards;
import palmares.settlement.reward.PaymentStream;

/**
 * Fills the slices of an outcome in parallel, as partitions of Spring Batch. Each has its own
 * transaction, in which its lines, its payments and its sums commit together. If one fails, the
 * others stop.
 */
@Component
class SliceFilling {
  private static final String SLICE = "slice";

  /** Payments are held back, so that a COPY of lines is not ended for each of them. */
  private static final int MAX_HELD_BLOCKS = 8;

  private final JobRepository repository;
  private final Leases leases;
  private final ClosingSlices slices;
  private final ClosingLines lines;
  private final Awards awards;
  private final BulkLoad bulkLoad;
  private final FillPermits permits;

  SliceFilling(
      JobRepository repository,
      Leases leases,
      ClosingSlices slices,
      ClosingLines lines,
      Awards awards,
      BulkLoad bulkLoad,
      FillPermits permits) {
    this.repository = repository;
    this.leases = leases;
    this.slices = slices;
    this.lines = lines;
    this.awards = awards;
    this.bulkLoad = bulkLoad;
    this.permits = permits;
  }

  /**
   * Fills the slices of an outcome that are not filled; the step of the closing is their manager.
   */
  void fill(Closing closing, int outcome, InForce excluded) {
    List<Slice> all = slices.of(outcome);
    var work = new Work(closing, outcome, excluded, all);
    var handler = new TaskExecutorPartitionHandler();
    var threads = new SimpleAsyncTaskExecutor("slice of " + closing.period().label() + " ");
    threads.setDaemon(true);
    threads.setConcurrencyLimit(permits.slices());
    threads.setTaskDecorator(LogContext::wrap);
    handler.setTaskExecutor(threads);
    handler.setStep(new SliceStep(work));
    try {
      handler.handle(
          new MissingSlices(all),
          requireNonNull(StepSynchronizationManager.getContext()).getStepExecution());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while slices are filled", e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("slices cannot be filled", e);
    } finally {
      work.end();
    }
    work.requireSuccess();
    closing.progress().step().reach(work.lines());
  }

  /** Gives each slice that is missing a step execution, which records it for people. */
  private final class MissingSlices implements StepExecutionSplitter {
    private final List<Slice> all;

    MissingSlices(List<Slice> all) {
      this.all = all;
    }

    @Override
    public String getStepName() {
      return SLICE;
    }

    @Override
    public Set<StepExecution> split(StepExecution manager, int gridSize) {
      var missing = new LinkedHashSet<StepExecution>();
      for (Slice slice : all) {
        if (slice.filled() == null) {
          StepExecution execution =
              repository.createStepExecution(
                  "%s %d of %d".formatted(SLICE, slice.number() + 1, all.size()),
                  manager.getJobExecution());
          execution.getExecutionContext().putInt(SLICE, slice.number());
          missing.add(execution);
        }
      }
      return missing;
    }
  }

  private final class SliceStep extends AbstractStep {
    private final Work work;

    SliceStep(Work work) {
      super(repository);
      this.work = work;
      this.observationRegistry = ObservationRegistry.NOOP;
      setName(SLICE);
    }

    @Override
    protected void doExecute(StepExecution execution) {
      if (!work.run(execution.getExecutionContext().getInt(SLICE))) {
        execution.upgradeStatus(BatchStatus.STOPPED);
      }
    }
  }

  /** Rolls a slice back whose failure nobody should see. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The filling of one outcome. */
  private final class Work {
    private final Closing closing;
    private final int outcome;
    private final InForce excluded;
    private final List<Slice> all;
    private final AtomicLong ranked = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean ended;

    Work(Closing closing, int outcome, InForce excluded, List<Slice> all) {
      this.closing = closing;
      this.outcome = outcome;
      this.excluded = excluded;
      this.all = all;
      all.stream()
          .map(Slice::filled)
          .forEach(
              filled -> ranked.addAndGet(filled == null ? 0 : filled.lines().totals().lines()));
    }

    /** Ends slices that still run, because the closing was interrupted. */
    void end() {
      ended = true;
    }

    /** The lines of all slices; their threads may have reported a smaller number last. */
    long lines() {
      return ranked.get();
    }

    void requireSuccess() {
      Throwable first = failure.get();
      if (first instanceof Error error) {
        throw error;
      }
      if (first instanceof RuntimeException e) {
        throw e;
      }
    }

    private void requireGoingOn() {
      if (ended || failure.get() != null) {
        throw new Stopped();
      }
    }

    /** Fills a slice; returns false if it was stopped because another one has failed. */
    boolean run(int number) {
      try {
        requireGoingOn();
        stream(all.get(number));
        return true;
      } catch (Stopped e) {
        return false;
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
        throw e;
      }
    }

    private void stream(Slice slice) {
      String lineTarget = ClosingLines.target(outcome);
      String paymentTarget = OutcomeTables.payments(outcome) + " " + PaymentStream.COLUMNS;
      var held = new ArrayList<byte[]>();
      var filled = new AtomicReference<@Nullable Filled>();
      Consumer<Map<String, Long>> store =
          rows -> {
            Filled sums = requireNonNull(filled.get());
            ClosingLines.requireAll(
                closing.period(), sums.lines().totals(), rows.getOrDefault(lineTarget, 0L));
            slices.fill(outcome, slice.number(), sums, closing.lease());
          };
      try (CopyPipe pipe =
          bulkLoad.pipe(
              "copy " + OutcomeTables.lines(outcome), () -> leases.share(closing.lease()), store)) {
        Counter counter = counter(slice);
        PaymentStream payments =
            awards.stream(closing.period(), outcome, closing.board(), held::add);
        Streamed streamed =
            lines.stream(
                closing.period(),
                outcome,
                closing.board(),
                excluded,
                slice.lines(),
                block -> pipe.write(lineTarget, block),
                (line, rank, isExcluded) -> {
                  requireGoingOn();
                  payments.next(line, rank, isExcluded);
                  counter.next();
                  if (held.size() >= MAX_HELD_BLOCKS) {
                    flush(held, pipe, paymentTarget);
                  }
                });
        PaymentStream.Totals paid = payments.finish();
        flush(held, pipe, paymentTarget);
        filled.set(new Filled(streamed, paid));
        pipe.finish();
        counter.end(streamed.totals().lines());
      }
    }

    private void flush(List<byte[]> held, CopyPipe pipe, String target) {
      held.forEach(block -> pipe.write(target, block));
      held.clear();
    }

    private Counter counter(Slice slice) {
      long members = requireNonNull(closing.period().population(), "sealed").members();
      RunProgress.Part part =
          all.size() == 1
              ? null
              : closing
                  .progress()
                  .slice(
                      "%s %d of %d".formatted(SLICE, slice.number() + 1, all.size()),
                      "members",
                      Math.min(slice.lines().to(), members) - slice.lines().from());
      return new Counter(closing.progress().step(), part);
    }

    /** Counts the lines of a slice, as parts of the whole step, too. */
    private final class Counter {
      private final RunProgress.Part step;
      private final RunProgress.@Nullable Part part;
      private long lines;

      Counter(RunProgress.Part step, RunProgress.@Nullable Part part) {
        this.step = step;
        this.part = part;
      }

      void next() {
        lines++;
        step.reach(ranked.incrementAndGet());
        if (part != null) {
          part.reach(lines);
        }
      }

      void end(long all) {
        step.reach(ranked.addAndGet(all - lines));
        if (part != null) {
          part.reach(all);
          part.end();
        }
      }
    }
  }
}
