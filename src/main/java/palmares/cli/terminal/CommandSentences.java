package palmares.cli.terminal;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.text.Sentence;

/** What a command says that no server does: of its options, of local files, and of the way. */
public interface CommandSentences {
  /** A required option or argument, as the help spells it. */
  record Missing(List<String> what) implements Sentence {}

  record TakesNo(String option, List<String> others) implements Sentence {
    public static TakesNo of(String option, String... others) {
      return new TakesNo(option, List.of(others));
    }
  }

  record RangeTakesNo(List<String> others) implements Sentence {}

  record Needs(String option, List<String> others) implements Sentence {
    public static Needs of(String option, String... others) {
      return new Needs(option, List.of(others));
    }
  }

  record OnlyWith(List<String> options, String other) implements Sentence {}

  record NamedTwice(String option) implements Sentence {}

  record NameCommand(List<String> commands) implements Sentence {}

  record NameOneOf(List<String> choices) implements Sentence {
    public static NameOneOf of(String... choices) {
      return new NameOneOf(List.of(choices));
    }
  }

  record BothOrNeither(String one, String other) implements Sentence {}

  record UseOnlyOne(List<String> options) implements Sentence {}

  /** What is wrong with the value of an option. */
  record Option(String option, Sentence fault) implements Sentence {}

  record UnknownOption(String option, @Nullable DidYouMean hint) implements Sentence {}

  record UnknownCommand(String command, @Nullable DidYouMean hint) implements Sentence {}

  record UnknownSample(String sample, @Nullable DidYouMean hint, List<String> samples)
      implements Sentence {
    public static UnknownSample of(String sample, Collection<String> samples) {
      return new UnknownSample(sample, DidYouMean.of(sample, samples), List.copyOf(samples));
    }
  }

  record SampleIsTier(String sample, String option) implements Sentence {}

  record UnreadableArgument(String argument, String encoding, String setting) implements Sentence {}

  record XlsxOnTerminal(String option) implements Sentence {}

  record NoRole(String role) implements Sentence {}

  record NotUtf8(String file) implements Sentence {}

  record NoFile(String file) implements Sentence {}

  record Unreadable(String file, String why) implements Sentence {}

  record Unwritable(String file, String why) implements Sentence {}

  record NotRegular(String file) implements Sentence {}

  record FolderIsFile(String file, String option) implements Sentence {}

  record Exists(String file, String option) implements Sentence {}

  record ListMayBeMissing(String file, String board, String list) implements Sentence {}

  /** A list that a board refers to. */
  record ListIsMissing(String file, Sentence fault) implements Sentence {}

  record BoardsAreValid(long boards) implements Sentence {}

  record Created(String file) implements Sentence {}

  record EditFirst() implements Sentence {}

  record Written(String file) implements Sentence {}

  record NothingImported(List<Sentence> faults) implements Sentence {}

  record StdinTwice() implements Sentence {}

  record TakenBefore(Sentence fault) implements Sentence {}

  record Stopped() implements Sentence {}

  record ImportStopped() implements Sentence {}

  record TriedAgain(Sentence reason, long seconds) implements Sentence {}

  record NoAddress(String address) implements Sentence {}

  record NoProfile(String profile, String file) implements Sentence {}

  record ProfileWithoutUrl(String profile, String file) implements Sentence {}

  record PublicTokens(String file) implements Sentence {}

  record UnreadableServerFile(String folder, String file, String option) implements Sentence {}

  record ForeignServerFile(String file) implements Sentence {}

  record NoEmbeddedServers(String folder) implements Sentence {}

  record StartsServer(String option) implements Sentence {}

  record TwoServers(String source, String option, @Nullable IgnoresVariable without)
      implements Sentence {}

  record IgnoresVariable(String command) implements Sentence {}

  record StartsOwnServer(String folder) implements Sentence {}

  record NoAnswerInTime(String why) implements Sentence {}

  record NoAnswer(String why, List<String> settings) implements Sentence {}

  record ForeignAnswer(String url, long status, List<String> settings) implements Sentence {}

  /** How much is done of a long task. */
  record Progress(String task, List<Sentence> parts) implements Sentence {}

  record Done(String done, String unit) implements Sentence {}

  record DoneOf(String done, String total, String unit) implements Sentence {}

  record Importing() implements Sentence {}

  record Lines(long lines) implements Sentence {}

  record Speed(String units) implements Sentence {}

  record TimeLeft(String time) implements Sentence {}

  record Outage(String server, String why) implements Sentence {}

  record Failed(String command, String why, @Nullable ShowsMore more) implements Sentence {}

  record NotStarted(Sentence why, ShowsMore more) implements Sentence {}

  record PortInUse(long port, String option, String ofManagement) implements Sentence {}

  record IsSandbox(String folder, String option) implements Sentence {}

  record ShowsMore(String option) implements Sentence {}

  record Try(String command) implements Sentence {}

  record TaskAbandoned(long task) implements Sentence {}

  record NothingChanged(Sentence said) implements Sentence {}

  record SecretOnce() implements Sentence {}

  record DryRun() implements Sentence {}

  record MoreRows(String option, String cursor) implements Sentence {}

  /** How many lines of an import had an outcome. */
  record Imported(String outcome) implements Sentence {}

  /**
   * @param boards numbers of boards, each with why they refused an event that others took
   */
  record SomeBoardsOnly(List<String> boards) implements Sentence {}

  record NothingDue() implements Sentence {}

  record PeriodsDue(long periods) implements Sentence {}

  record Sandbox(Instant time, String folder) implements Sentence {}

  record FirstPassword(String name, String password, String command) implements Sentence {}

  record Starts() implements Sentence {}

  record ClosesOnly() implements Sentence {}

  record Listens(String address) implements Sentence {}

  record Console(String address) implements Sentence {}

  record KeepsData(String postgres, String redis) implements Sentence {}

  record Management(String address) implements Sentence {}

  record Logs(String folder) implements Sentence {}
}
