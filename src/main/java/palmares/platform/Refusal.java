package palmares.platform;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Fault;
import palmares.platform.text.Next;
import palmares.platform.text.Saying;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;

/**
 * Reports that what a caller asked for is not carried out. The message says what is wrong, where,
 * and what to do; the problem is the type by which the API answers. Only a subclass, which may end
 * a closing, has a stack trace, so that refusing a request costs little.
 */
public class Refusal extends RuntimeException implements Saying {
  private final Problem problem;
  private final transient Sentence said;
  private transient List<Fault> faults = List.of();
  private transient List<Next> next = List.of();
  private @Nullable Integer retrySeconds;

  public Refusal(Problem problem, Sentence said) {
    this(problem, said, null);
  }

  public Refusal(Problem problem, Sentence said, @Nullable Throwable cause) {
    super(null, cause);
    this.problem = problem;
    this.said = said;
  }

  /** Refuses the values of fields; the message is that of the first fault. */
  public Refusal(Problem problem, List<Fault> faults) {
    this(problem, faults.get(0).said());
    this.faults = List.copyOf(faults);
  }

  @Override
  public Throwable fillInStackTrace() {
    return getClass() == Refusal.class ? this : super.fillInStackTrace();
  }

  /** The same about a field of the request. */
  public Refusal at(String field) {
    faults = List.of(Fault.of(field, said));
    return this;
  }

  /** The same with what can be done about it. */
  public Refusal then(Next... steps) {
    next = List.of(steps);
    return this;
  }

  /** The same with the time after which a retry may succeed; rounded up to seconds. */
  public Refusal after(Duration retry) {
    retrySeconds = Math.max(1, Math.toIntExact(retry.plusMillis(999).toSeconds()));
    return this;
  }

  /** Returns what an exception says; its message if that is no sentence of ours. */
  public static Sentence said(Throwable e) {
    return e instanceof Saying saying
        ? saying.said()
        : Sentence.verbatim(e.getMessage() == null ? e.toString() : e.getMessage());
  }

  /** Returns why it is refused. */
  public final Problem problem() {
    return problem;
  }

  @Override
  public final Sentence said() {
    return said;
  }

  /** Returns what is wrong with fields of the request; empty if it is about no field. */
  public final List<Fault> faults() {
    return faults;
  }

  /** Returns what can be done about it. */
  public final List<Next> next() {
    return next;
  }

  /** Returns the value of {@code Retry-After} in seconds; empty if waiting does not help. */
  public final OptionalInt retrySeconds() {
    return retrySeconds == null ? problem.retrySeconds() : OptionalInt.of(retrySeconds);
  }

  /** Returns the sentence in English, for logs. */
  @Override
  public final String getMessage() {
    return Texts.english(said);
  }

  /** Returns the message, which every refusal has. */
  public final String detail() {
    return getMessage();
  }
}
