package palmares.cli;

import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palmares.api.ops.TaskResource;
import palmares.cli.launch.Client;
import palmares.cli.launch.Session;
import palmares.cli.terminal.CommandSentences;
import palmares.cli.terminal.UserError;
import palmares.operations.tasks.Task;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.TerminalText;
import palmares.platform.text.Choice;
import palmares.platform.text.Commands;
import palmares.platform.text.Next;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/** Follows a task, prints it, and gives its exit code. */
record TaskOutput(Session session, Client client) {
  private static final int WAIT_SECONDS = 20;

  /**
   * Prints the task's progress until it is over, then what it has done. Of a secret that it made,
   * nothing else goes to standard output, so that it can be piped.
   *
   * @return the exit code
   * @throws UserError if a problem ended it
   */
  int print(Task called) {
    Task task = called;
    int seen = 0;
    while (true) {
      task.progress().stream().skip(seen).map(TaskOutput::text).forEach(session::note);
      seen = task.progress().size();
      if (task.isOver()) {
        break;
      }
      task =
          client.get(TaskResource.class).get(Objects.requireNonNull(task.id()), seen, WAIT_SECONDS);
    }
    if (task.secret() == null) {
      task.messages().stream().map(TaskOutput::text).forEach(session::print);
    } else {
      session.print(task.secret());
      task.messages().stream().map(TaskOutput::text).forEach(session::note);
      session.note(new CommandSentences.SecretOnce());
    }
    if (task.problem() == null) {
      task.next().stream().map(Commands::of).forEach(command -> session.print("  " + command));
    }
    if (task.id() == null) {
      session.note(new CommandSentences.DryRun());
    }
    if (task.etag() != null) {
      session.note("ETag: " + task.etag());
    }
    if (task.problem() != null) {
      throw error(
          new Refusal(problem(task.problem()), Objects.requireNonNull(task.detail()))
              .then(task.next().toArray(Next[]::new)));
    }
    return switch (task.state()) {
      case DONE, RUNNING -> 0;
      case HELD -> UserError.HELD;
      case FAILED -> UserError.FAILED;
      case ABANDONED ->
          throw UserError.failed(
              new CommandSentences.TaskAbandoned(Objects.requireNonNull(task.id())));
    };
  }

  /** A sentence as a terminal may show it. */
  private static String text(Sentence said) {
    return TerminalText.lines(plain(said));
  }

  /** A sentence in the language of the shell, in which the server has said it. */
  static String plain(Sentence said) {
    return said instanceof Said whole ? whole.text() : Texts.here().of(said);
  }

  private static Problem problem(String word) {
    return Choice.of(Problem.class, word);
  }

  /** The error that ends a command because of a problem. */
  static UserError error(Refusal refused) {
    Problem problem = refused.problem();
    Sentence message =
        Sentence.verbatim(
            Stream.concat(
                    refused.faults().size() > 1
                        ? refused.faults().stream().map(fault -> text(fault.said()))
                        : Stream.of(text(refused.said())),
                    refused.next().stream().map(next -> "  " + Commands.of(next)))
                .collect(Collectors.joining("\n")));
    return switch (problem) {
      case DATABASE_UNAVAILABLE, REDIS_UNAVAILABLE, REDIS_CLUSTER ->
          UserError.unreachable(message, refused);
      case PERIOD_BUSY, NOT_VERIFIED ->
          UserError.failed(new CommandSentences.NothingChanged(message));
      default -> problem.isFailure() ? UserError.failed(message) : UserError.badInput(message);
    };
  }
}
