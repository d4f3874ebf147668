package palmares.operations.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import palmares.api.identity.ApiKeys;
import palmares.api.identity.ApiKeys.NewKey;
import palmares.api.identity.People;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;
import palmares.operations.batches.BatchRunner;
import palmares.operations.batches.Batches;
import palmares.operations.batches.PeriodRange;
import palmares.operations.tasks.Tasks.Issued;
import palmares.period.Leases;
import palmares.period.Period;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.rules.board.Board;
import palmares.testing.Api;
import palmares.testing.Contest;
import palmares.testing.RawHttp;
import palmares.testing.Records;
import palmares.testing.Servers;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** A task that stalls, is late or meets another process has no half effect and leaves no name. */
@WorldTest
class TasksTest {

  @Autowired private Tasks tasks;
  @Autowired private ItemTasks itemTasks;
  @Autowired private ApiKeys keys;
  @Autowired private People people;
  @Autowired private Leases leases;
  @Autowired private BatchRunner runner;
  @Autowired private TaskLeases taskLeases;
  @Autowired private Batches batches;
  @Autowired private World world;
  @Autowired private Records records;
  @Autowired private Servers servers;

  @LocalServerPort private int port;
  private Period day;

  /** A settled day, and an open one. */
  @BeforeEach
  void play() {
    SecurityContextHolder.setContext(new SecurityContextImpl(Caller.local("bob").authentication()));
    Board board = world.board(Contest.rules());
    day = world.open(board);
    world.takeAll(Contest.facts(), World.ANYBODY);
    world.settle(day);
    world.pass(Duration.ofDays(1));
    day = world.open(board);
    world.takeAll(Contest.facts(), World.ANYBODY);
  }

  @AfterEach
  void leave() {
    SecurityContextHolder.clearContext();
  }

  private Task over(Task task) {
    Task latest = task;
    while (!latest.isOver()) {
      latest = after(latest);
    }
    return latest;
  }

  /** The task with more progress, or over. */
  private Task after(Task task) {
    long id = Objects.requireNonNull(task.id());
    return tasks.await(id, task.progress().size(), "bob", Duration.ofSeconds(30)).join();
  }

  /** A process that stalls for longer than a task counts as alive may end after another one. */
  @Test
  void aSecretOfATaskThatWasTakenOverIsRolledBack() {
    assertThatThrownBy(
            () ->
                tasks.issue(
                    new Call(false, "k", null),
                    new VerbRequest("create-key", null, null, "new", "shop"),
                    by -> {
                      CompletableFuture.runAsync(
                              () -> servers.sql("update task set runner = 'another'"))
                          .join();
                      var key = new NewKey("shop", Set.of(Role.WRITER), Set.of(), null);
                      return new Issued(
                          keys.create(key, by, "new"), Result.done(Sentence.verbatim("made")));
                    }))
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.problem()).isEqualTo(Problem.IDEMPOTENCY_KEY_IN_USE));
    assertThat(records.number("select count(*) from api_secret where key = 'shop'")).isZero();
    assertThat(records.words("select runner || ' ' || state from task"))
        .containsExactly("another running");
  }

  /** Maintenance may take hours, and decisions do not wait for it. */
  @Test
  void aDecisionRunsWhileAllWorkersForMaintenanceAreOccupied() {
    var end = new CountDownLatch(1);
    try {
      for (int i = 0; i < Tasks.MAINTENANCE_WORKERS; i++) {
        occupy("verify", end);
      }
      Task queued = occupy("rebuild", end);
      assertThat(queued.progress())
          .extracting(Texts::english)
          .containsExactly("waiting behind 2 tasks");
      assertThat(over(occupy("approve", new CountDownLatch(0))).state()).isEqualTo(Task.State.DONE);
      assertThat(over(occupy("close", new CountDownLatch(0))).progress()).isEmpty();
      end.countDown();
      assertThat(over(queued).state()).isEqualTo(Task.State.DONE);
    } finally {
      end.countDown();
    }
  }

  /** Else an approval would be counted after its person was found out, and disabled. */
  @Test
  void whatWasQueuedByAPersonWhoIsDisabledSinceDoesNotRun() {
    people.add("cid", Set.of(Role.APPROVER), "local:bob", "new");
    var end = new CountDownLatch(1);
    var ran = new AtomicBoolean();
    try {
      for (int i = 0; i < Tasks.MAX_CONCURRENT_TASKS; i++) {
        occupy("close", end);
      }
      as(Caller.person("cid", Set.of(Role.APPROVER), 1, false));
      Task queued =
          tasks.later(
              new Call(false, null, null),
              new VerbRequest("approve", null, null, "seen", "a closing"),
              by -> {},
              by -> new Result(Task.State.DONE, List.of()),
              (by, progress) -> {
                ran.set(true);
                return new Result(Task.State.DONE, List.of());
              });
      people.setEnabled("cid", false, "local:bob", "took bribes");
      end.countDown();
      assertThat(over(queued).problem()).isEqualTo("forbidden");
      assertThat(ran).isFalse();
    } finally {
      end.countDown();
    }
  }

  /** A person whose browser repeats a call, or who clicks twice, decides once. */
  @Test
  void theSameDecisionOfAPersonIsOneTask() {
    var end = new CountDownLatch(1);
    try {
      Task first = occupy("approve", end);
      assertThat(occupy("approve", end).id()).isEqualTo(first.id());
      assertThat(occupy("close", end).id()).isNotEqualTo(occupy("close", end).id());
      var seen = new Call(false, null, "\"seen\"").compared();
      assertThat(occupy("approve", end, seen).id())
          .as("of what the person has seen")
          .isNotEqualTo(first.id())
          .isEqualTo(occupy("approve", end, seen).id());
      as("another");
      assertThat(occupy("approve", end).id()).isNotEqualTo(first.id());
      end.countDown();
      over(first);
      as("bob");
      assertThat(over(occupy("approve", end)).id()).as("afterwards").isNotEqualTo(first.id());
    } finally {
      end.countDown();
    }
  }

  @Test
  void aDecisionWhoseProcessHasDiedIsMadeAgain() {
    Task first = over(occupy("approve", new CountDownLatch(0)));
    servers.sql(
        "update task set state = 'running', ended_at = null, runner = 'killed', runner_until = ?",
        world.now().minusSeconds(1).atOffset(ZoneOffset.UTC));
    Task second = over(occupy("approve", new CountDownLatch(0)));
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.state()).isEqualTo(Task.State.DONE);
    assertThat(records.words("select state from task order by id"))
        .containsExactly("abandoned", "done");
  }

  /** The rest is for another process, or for this one after its next start. */
  @Test
  void workOnItemsStopsBetweenTwoOfThemWhenTheServerStops() throws InterruptedException {
    world.pass(Duration.ofDays(1));
    var begun = new CountDownLatch(1);
    var stopped = new CountDownLatch(1);
    var goes = new ArrayList<Boolean>();
    long id =
        Objects.requireNonNull(
            close(
                    new Call(false, null, null),
                    (task, goesOn) -> {
                      goes.add(goesOn.getAsBoolean());
                      begun.countDown();
                      await().until(() -> !goesOn.getAsBoolean());
                      boolean over = runner.run(task, goesOn);
                      stopped.countDown();
                      return over;
                    })
                .id());
    begun.await();
    tasks.stop();
    try {
      assertThat(stopped.getCount()).as("waited for").isZero();
      assertThat(goes).containsExactly(true);
      assertThat(records.number("select count(*) from task_item where state = 'pending'"))
          .isEqualTo(2);
      assertThat(taskLeases.waiting()).containsExactly(id);
    } finally {
      tasks.start();
    }
  }

  @Test
  void aCallerQueuesFiveTasksAndAllTogetherAHundred() {
    var end = new CountDownLatch(1);
    try {
      for (int i = 0; i < Tasks.MAX_CONCURRENT_TASKS + TaskQueue.MAX_QUEUED_PER_CALLER; i++) {
        occupy("close", end);
      }
      assertFull("close", end, "you have 5 queued tasks");
      for (int i = TaskQueue.MAX_QUEUED_PER_CALLER; i < TaskQueue.MAX_QUEUED; i++) {
        as("caller-" + i);
        occupy("close", end);
      }
      as("another");
      assertFull("close", end, "100 tasks are queued");
      assertThat(records.number("select count(*) from task"))
          .isEqualTo(Tasks.MAX_CONCURRENT_TASKS + TaskQueue.MAX_QUEUED);
      end.countDown();
      records
          .words("select id::text from task")
          .forEach(id -> assertThat(over(tasks.get(Long.parseLong(id))).isOver()).isTrue());
      assertThat(over(occupy("close", end)).progress()).isEmpty();
    } finally {
      end.countDown();
    }
  }

  /** Else a few callers who wait would keep a server with 200 threads from taking events. */
  @Test
  void requestsThatWaitForATaskHoldNoThread() {
    var end = new CountDownLatch(1);
    List<RawHttp> waiting = new ArrayList<>();
    try {
      long id = Objects.requireNonNull(occupy("verify", end).id());
      for (int caller = 0; caller < 6; caller++) {
        String key = "Authorization: Bearer " + Api.key(keys, "waits");
        for (int i = 0; i < TaskWaits.MAX_WAITS_PER_CALLER; i++) {
          waiting.add(
              new RawHttp(port)
                  .head("GET /api/v1/ops/tasks/%d?wait=30 HTTP/1.1".formatted(id), key));
        }
        if (caller == 0) {
          await().until(() -> tasks.waitCount() == waiting.size());
          String refused =
              new RawHttp(port)
                  .head("GET /api/v1/ops/tasks/%d?wait=30 HTTP/1.1".formatted(id), key)
                  .answer();
          assertThat(refused).startsWith("HTTP/1.1 429").contains("task %d goes on".formatted(id));
        }
      }
      await().until(() -> tasks.waitCount() == waiting.size());
      assertThat(waiting).as("more than there are threads").hasSize(240);
      assertThat(new Api(port, Api.key(keys, "writes")).post("[]").status()).isEqualTo(200);
      end.countDown();
      assertThat(waiting)
          .allSatisfy(
              each ->
                  assertThat(each.answer())
                      .startsWith("HTTP/1.1 200")
                      .contains("\"state\":\"done\""));
      assertThat(tasks.waitCount()).isZero();
    } finally {
      end.countDown();
      waiting.forEach(RawHttp::close);
    }
  }

  @Test
  void aRequestThatWaitsIsAnsweredAfterItsTimeAndSaysWhyItCannot() {
    var end = new CountDownLatch(1);
    try {
      long id = Objects.requireNonNull(occupy("verify", end).id());
      var api = new Api(port, Api.key(keys, "waits"));
      assertThat(api.get("/ops/tasks/%d?wait=1".formatted(id)).body().path("state").asString())
          .isEqualTo("running");
      assertThat(api.get("/ops/tasks/%d?wait=31".formatted(id)).problem())
          .endsWith(":invalid-field");
      assertThat(api.get("/ops/tasks/%d?wait=1".formatted(id + 1)).problem())
          .endsWith(":unknown-object");
      var anns = Api.ownKey(keys, "anns", "ann", Role.READER);
      assertThat(new Api(port, anns).get("/ops/tasks/%d?wait=1".formatted(id)).problem())
          .endsWith(":forbidden");
    } finally {
      end.countDown();
    }
  }

  private static void as(String name) {
    as(Caller.local(name));
  }

  private static void as(Caller caller) {
    SecurityContextHolder.setContext(new SecurityContextImpl(caller.authentication()));
  }

  private void assertFull(String verb, CountDownLatch end, String message) {
    assertThatThrownBy(() -> occupy(verb, end))
        .hasMessageStartingWith(message)
        .isInstanceOfSatisfying(
            Refusal.class, e -> assertThat(e.problem()).isEqualTo(Problem.TOO_MANY_REQUESTS));
  }

  /** Else the rows of processes that died would stay for all time, and count as running. */
  @Test
  void aTaskWithoutAHeartbeatIsClosedAndItsKeyStillGoesOnFromIt() {
    var key = new Call(false, "k", null);
    Task first = over(occupy("close", new CountDownLatch(0), key));
    servers.sql(
        "update task set state = 'running', ended_at = null, runner = 'killed', runner_until = ?",
        world.now().minus(Duration.ofMinutes(61)).atOffset(ZoneOffset.UTC));
    over(occupy("close", new CountDownLatch(0)));
    assertThat(records.words("select state from task order by id"))
        .containsExactly("abandoned", "done");
    assertThat(tasks.get(Objects.requireNonNull(first.id())).state())
        .isEqualTo(Task.State.ABANDONED);
    Task again = over(occupy("close", new CountDownLatch(0), key));
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.state()).isEqualTo(Task.State.DONE);
  }

  @Test
  void aTaskThatWasToCloseWhatIsDueIsDoneOnceTheSweepHasClosedIt() {
    world.due(day);
    Task task = over(occupy("close", new CountDownLatch(0)));
    servers.sql(
        "update task set state = 'running', ended_at = null, runner = 'killed', runner_until = ?",
        world.now().minusSeconds(1).atOffset(ZoneOffset.UTC));
    long id = Objects.requireNonNull(task.id());
    assertThat(tasks.get(id).state()).isEqualTo(Task.State.ABANDONED);

    world.settle(day);
    assertThat(tasks.get(id).state()).as("one is left").isEqualTo(Task.State.ABANDONED);
    world.sweep();

    assertThat(tasks.get(id).state()).isEqualTo(Task.State.DONE);
    assertThat(tasks.get(id).endedAt()).isEqualTo(world.now());
    assertThat(Texts.in(Locale.ENGLISH).list(tasks.get(id).messages()))
        .startsWith("settled 2 periods");
  }

  /** Any scheduler goes on with a batch, so the caller waits for it, not for a process. */
  @Test
  void aBatchIsOneTaskForAllItsRunnersAndIsKept() {
    world.pass(Duration.ofDays(1));
    var key = new Call(false, "k", null);
    Task begun = close(key, (id, goesOn) -> true);
    long id = Objects.requireNonNull(begun.id());
    assertThat(begun.items()).isEqualTo(2);
    assertThat(taskLeases.take(id, "a process that dies")).isPresent();
    world.pass(TaskLeases.LEASE_DURATION.multipliedBy(2));
    assertThat(tasks.get(id).state()).isEqualTo(Task.State.RUNNING);
    assertThat(close(key, (other, goesOn) -> true).id()).as("a repeat").isEqualTo(id);
    assertThat(records.number("select count(*) from task_item")).isEqualTo(2);

    assertThat(runner.run(id, () -> true)).isTrue();
    Task ended = tasks.get(id);
    assertThat(ended.state()).isEqualTo(Task.State.DONE);
    assertThat(ended.endedAt()).isNotNull();
    assertThat(Texts.in(Locale.ENGLISH).list(ended.messages()))
        .isEqualTo("batch %d: 2 done".formatted(id));
    assertThat(world.again(day).state().isSettled()).isTrue();
    assertThat(records.number("select count(*) from audit_entry where verb = 'close-batch'"))
        .isOne();

    world.pass(Duration.ofDays(31));
    over(occupy("close", new CountDownLatch(0)));
    assertThat(tasks.get(id).state()).isEqualTo(Task.State.DONE);
  }

  /** Others hold its periods, or PostgreSQL is away for a moment. */
  @Test
  void aBatchIsTriedAgainUntilItIsOver() {
    tasks.retryEvery(Duration.ofMillis(10));
    world.pass(Duration.ofDays(1));
    var attempts = new AtomicInteger();
    close(
        new Call(false, null, null),
        (id, goesOn) -> {
          switch (attempts.incrementAndGet()) {
            case 1 -> throw new IllegalStateException("an outage");
            case 2 -> {
              return false;
            }
            default -> {
              return runner.run(id, goesOn);
            }
          }
        });
    await().until(() -> world.again(day).state().isSettled());
    assertThat(attempts).hasValue(3);
    tasks.retryEvery(Duration.ofSeconds(2));
  }

  /** Its caller asks while the former work ends: that is not lost, and nobody else goes on. */
  @Test
  void aTaskThatIsOverGoesOnIfItWasAskedMeanwhile() {
    var works = Collections.synchronizedList(new ArrayList<String>());
    var end = new CountDownLatch(1);
    long id =
        Objects.requireNonNull(
            close(
                    new Call(false, null, null),
                    (task, goesOn) -> {
                      works.add("first");
                      itemTasks.goOn(
                          task,
                          "bob",
                          (again, goes) -> {
                            works.add("second");
                            end.countDown();
                            return true;
                          });
                      return true;
                    })
                .id());
    await().until(() -> end.getCount() == 0);
    tasks.stop(); // waits for all that runs or is queued
    tasks.start();
    assertThat(tasks.get(id).state()).as("nobody has worked on it").isEqualTo(Task.State.RUNNING);
    assertThat(works).containsExactly("first", "second");
  }

  /** Another caller may find it as soon as it is stored. */
  @Test
  void aTaskIsWorkedOnOnceIfItIsAskedForWhileItBegins() {
    world.pass(Duration.ofDays(1));
    var runs = new AtomicInteger();
    ItemTasks.ItemWork work =
        (id, goesOn) -> {
          runs.incrementAndGet();
          return runner.run(id, goesOn);
        };
    itemTasks.begin(
        new Call(false, null, null),
        new VerbRequest("close-batch", null, null, "late", "all"),
        () -> {
          itemTasks.goOn(records.number("select max(id) from task"), "bob", work);
          return batches.close(new PeriodRange(null, null, null, null));
        },
        work);
    await().until(() -> world.again(day).state().isSettled());
    tasks.stop(); // waits for all that runs or is queued
    tasks.start();
    assertThat(runs).hasValue(1);
  }

  /** The heartbeat of a process that has stalled must not keep what another one has taken over. */
  @Test
  void aHeartbeatKeepsOnlyItsOwnTask() {
    world.pass(Duration.ofDays(1));
    long id =
        Objects.requireNonNull(close(new Call(false, null, null), (begun, goesOn) -> true).id());
    assertThat(taskLeases.take(id, "one")).hasValue(0);
    assertThat(taskLeases.take(id, "another")).isEmpty();
    world.pass(TaskLeases.LEASE_DURATION);
    assertThat(taskLeases.take(id, "another")).hasValue(0);
    assertThat(taskLeases.keep(id, "one")).isFalse();
    assertThat(taskLeases.release(id, "one", 0, Task.State.DONE)).isFalse();
    assertThat(tasks.get(id).state()).isEqualTo(Task.State.RUNNING);
    assertThat(taskLeases.waiting()).isEmpty();
    assertThat(taskLeases.release(id, "another", 0, null)).isTrue();
    assertThat(taskLeases.waiting()).containsExactly(id);
  }

  private Task close(Call call, ItemTasks.ItemWork work) {
    return itemTasks.begin(
        call,
        new VerbRequest("close-batch", null, null, "late", "all"),
        () -> batches.close(new PeriodRange(null, null, null, null)),
        work);
  }

  @Test
  void aClosingThatTheSweepHasEndedIsNotAbandoned() {
    world.due(day);
    Task late = over(occupy("verify", new CountDownLatch(0)));
    long id = Objects.requireNonNull(late.id());
    servers.sql(
        "update task set verb = 'close', board = ?, period = ?, state = 'running', ended_at = null,"
            + " runner = 'elsewhere', runner_until = ? where id = ?",
        day.board().value(),
        day.name().value(),
        world.now().atOffset(ZoneOffset.UTC),
        id);
    assertThat(tasks.get(id).state()).isEqualTo(Task.State.ABANDONED);
    world.settle(day);
    assertThat(tasks.get(id).state()).isEqualTo(Task.State.DONE);
    assertThat(tasks.get(id).messages())
        .extracting(Texts::english)
        .containsExactly(day.label() + " is settled");
  }

  /** PostgreSQL may be away just when a task ends. */
  @Test
  void theEndOfATaskIsStoredOncePostgresAnswers() {
    tasks.retryEvery(Duration.ofMillis(10));
    servers.sql(
        """
        create or replace function outage() returns trigger language plpgsql as $$
        begin
          raise exception 'no room on the disk';
        end $$
        """);
    servers.sql(
        """
        create trigger outage before update of state on task
        for each row when (new.state = 'done') execute function outage()
        """);
    Task task = occupy("close", new CountDownLatch(0));
    world.pass(Duration.ofMinutes(1));
    assertThat(tasks.get(Objects.requireNonNull(task.id())).state())
        .as("its process lives")
        .isEqualTo(Task.State.RUNNING);
    servers.sql("drop trigger outage on task");
    assertThat(over(task).state()).isEqualTo(Task.State.DONE);
    tasks.retryEvery(Duration.ofSeconds(2));
  }

  private Task occupy(String verb, CountDownLatch until) {
    return occupy(verb, until, new Call(false, null, null));
  }

  private Task occupy(String verb, CountDownLatch until, Call call) {
    return tasks.later(
        call,
        new VerbRequest(verb, null, null, "to be first", "wait"),
        by -> {},
        by -> new Result(Task.State.DONE, List.of()),
        (by, progress) -> {
          try {
            until.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new Result(Task.State.DONE, List.of());
        });
  }

  @Test
  void aRepeatWithAnotherConditionIsTheSameRequest() {
    var end = new CountDownLatch(0);
    Task first = over(occupy("close", end, new Call(false, "k", "\"seen\"").compared()));
    assertThat(occupy("close", end, new Call(false, "k", "\"new\"").compared()).id())
        .isEqualTo(first.id());
  }

  /** Who decides the same while it is being refused is answered with the number of its task. */
  @ParameterizedTest
  @ValueSource(strings = {"approve", "approve-batch", "reject-batch"})
  void aRefusedDecisionIsFoundByItsNumber(String verb) {
    var order = new VerbRequest(verb, null, null, "to be refused", "wait");
    long[] id = {0};
    assertThatThrownBy(
            () ->
                tasks.later(
                    new Call(false, null, null),
                    order,
                    by -> {
                      id[0] = records.number("select id from task");
                      throw new Refusal(Problem.WRONG_STATE, Sentence.verbatim("not now"));
                    },
                    by -> new Result(Task.State.DONE, List.of()),
                    (by, progress) -> new Result(Task.State.DONE, List.of())))
        .hasMessage("not now");
    assertThat(tasks.get(id[0]).problem()).isEqualTo("wrong-state");
  }

  /** Who repeats a request while it is being refused is answered with the number of its task. */
  @Test
  void aRefusedTaskIsFoundByItsNumberForAnHourAndItsKeyIsFree() {
    var key = new Call(false, "k", null);
    var order = new VerbRequest("close", null, null, "to be refused", "wait");
    long[] id = {0};
    assertThatThrownBy(
            () ->
                tasks.later(
                    key,
                    order,
                    by -> {
                      id[0] = records.number("select id from task");
                      throw new Refusal(Problem.WRONG_STATE, Sentence.verbatim("not now"));
                    },
                    by -> new Result(Task.State.DONE, List.of()),
                    (by, progress) -> new Result(Task.State.DONE, List.of())))
        .hasMessage("not now");
    Task refused = tasks.get(id[0]);
    assertThat(refused.state()).isEqualTo(Task.State.FAILED);
    assertThat(refused.problem()).isEqualTo("wrong-state");
    assertThat(refused.detail()).isEqualTo(Sentence.verbatim("not now"));
    Task again = over(occupy("close", new CountDownLatch(0), key));
    assertThat(again.id()).isNotEqualTo(id[0]);
    assertThat(again.state()).isEqualTo(Task.State.DONE);
    world.pass(Duration.ofMinutes(61));
    over(occupy("close", new CountDownLatch(0)));
    assertThatThrownBy(() -> tasks.get(id[0])).hasMessageContaining("there is no task");
    assertThat(tasks.get(Objects.requireNonNull(again.id())).state()).isEqualTo(Task.State.DONE);
  }
}
