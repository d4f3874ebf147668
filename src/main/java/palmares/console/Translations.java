package palmares.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.http.ProblemDetail;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.settlement.outcome.PaymentSums.Sum;

/** Puts what the operations API answers into the language of a page. */
record Translations(MessageSource messages, Show show) {
  /** Details of audit entries whose words are those of states. */
  private static final Set<String> STATES = Set.of("before", "forgotten", "state");

  private Locale locale() {
    return show.locale();
  }

  private Texts texts() {
    return Texts.in(locale());
  }

  private String text(String key, String otherwise, Object... values) {
    String text = messages.getMessage(key, values, null, locale());
    return text == null ? otherwise : text;
  }

  /** The name of a field of a manifest. */
  public String field(String name) {
    return text("manifest." + name, name);
  }

  /** The heading of a column. */
  public String column(String name) {
    return OutputTable.heading(texts(), name);
  }

  /** The name of who did something: a person, the schedule, or the rules. */
  public String actor(Object name) {
    return texts().word("actor", name.toString());
  }

  /** The value of a field of a manifest. */
  public String fact(String field, String value) {
    return switch (field) {
      case "prepared-by", "decided-by" -> actor(value);
      case "verdict-reason" -> texts().word("rules-reason", value);
      default -> show.value(value);
    };
  }

  /** A detail of an audit entry; of one that only says yes, its name. */
  public String detail(String name, Object value) {
    return value.equals(true) ? detailName(name) : detailName(name) + ": " + value(name, value);
  }

  private String detailName(String name) {
    return text("detail." + name, column(name));
  }

  /** The value of a detail, which may have parts, each with a name. */
  private String value(String detail, @Nullable Object value) {
    if (value instanceof Map<?, ?> said
        && said.get("code") instanceof String code
        && said.get("values") instanceof Map<?, ?> values) {
      return texts().of(Said.of(code, values, String.valueOf(said.get("text"))));
    }
    if (value instanceof Map<?, ?> parts) {
      return parts.entrySet().stream()
          .filter(part -> part.getValue() != null)
          .map(part -> part(detail, String.valueOf(part.getKey()), part.getValue()))
          .collect(Collectors.joining(texts().word("list", "words")));
    }
    if (value instanceof Collection<?> all) {
      boolean haveParts = all.stream().anyMatch(Map.class::isInstance);
      return all.stream()
          .map(each -> value(detail, each))
          .collect(Collectors.joining(texts().word("list", haveParts ? "sentences" : "words")));
    }
    if (value instanceof String word) {
      String state = STATES.contains(detail) ? texts().knownWord("state", word) : null;
      return state != null ? state : text("option." + detail + "." + word, text(word));
    }
    return show.value(value);
  }

  /** Some parts have another meaning than details of their name. */
  private String part(String detail, String name, Object value) {
    return text("detail." + detail + "." + name, detailName(name)) + " " + value(name, value);
  }

  /** A text, which may be that of a duration. */
  private String text(String text) {
    try {
      return show.value(text.startsWith("PT") ? Duration.parse(text) : text);
    } catch (DateTimeParseException e) {
      return text;
    }
  }

  /** The verb of an audit entry. */
  public String change(Object verb) {
    return texts().word("audit", verb.toString());
  }

  /** The verb that a batch or a task does. */
  public String verb(String verb) {
    return text("verb." + verb + ".title", verb);
  }

  /** What a button does that moves money, with the sum. */
  public String button(Stake stake) {
    return button(stake.kind().word(), stake);
  }

  /** What a button does whose text has this word. */
  public String button(String word, Stake stake) {
    List<Sum> got = stake.sums().stream().filter(sum -> sum.gets().signum() > 0).toList();
    List<Sum> owed = stake.sums().stream().filter(sum -> sum.owes().signum() > 0).toList();
    // "Post 4,500 / take back 4,500 credits": one currency is named once.
    boolean isOne = got.size() == 1 && owed.size() == 1 && stake.sums().size() == 1;
    String gets = isOne ? show.number(got.get(0).gets()) : amounts(got, Sum::gets);
    return text(
        "button." + word,
        word,
        stake.isEstimate() ? text("button.about", gets, gets) : gets,
        amounts(owed, Sum::owes));
  }

  private String amounts(List<Sum> sums, Function<Sum, BigDecimal> amount) {
    return sums.stream()
        .map(sum -> show.number(amount.apply(sum)) + " " + sum.currency())
        .collect(Collectors.joining(", "));
  }

  /** How many periods are in each state. */
  public String counts(Map<String, Long> states) {
    return states.entrySet().stream()
        .map(state -> state.getValue() + " " + text("state." + state.getKey(), state.getKey()))
        .collect(Collectors.joining(", "));
  }

  /** A sentence, several, or a text of a person or of another system. */
  public @Nullable String say(@Nullable Object said) {
    if (said instanceof Collection<?> all) {
      return all.stream()
          .map(this::say)
          .collect(Collectors.joining(texts().word("list", "sentences")));
    }
    return said == null ? null : show.value(said);
  }

  /** The same as a whole sentence, with a capital letter and a full stop. */
  public @Nullable String sentence(@Nullable Object said) {
    return said instanceof Sentence sentence ? texts().whole(sentence) : say(said);
  }

  /** What a problem says: each of its faults, if there are several. */
  public List<@Nullable String> details(ProblemDetail problem) {
    return problem.getProperties() != null
            && problem.getProperties().get("errors") instanceof List<?> errors
            && errors.size() > 1
        ? errors.stream()
            .map(error -> (Map<?, ?>) error)
            .map(
                error ->
                    sentence(
                        Said.of(
                            String.valueOf(error.get("code")),
                            (Map<?, ?>) Objects.requireNonNull(error.get("values")),
                            String.valueOf(error.get("text")))))
            .toList()
        : Collections.singletonList(detail(problem));
  }

  /** What a problem says. */
  public @Nullable String detail(ProblemDetail problem) {
    Map<String, Object> properties = problem.getProperties();
    return properties != null
            && properties.get("code") instanceof String code
            && properties.get("values") instanceof Map<?, ?> values
        ? sentence(Said.of(code, values, String.valueOf(problem.getDetail())))
        : sentence(problem.getDetail());
  }

  /** What runs at present and about how far it is, for a screen reader; empty if nothing runs. */
  public String running(Rows steps) {
    return steps.where("state", "running").rows().stream()
        .findFirst()
        .map(step -> texts().word("word", String.valueOf(step.get("step"))) + percent(step))
        .orElse("");
  }

  /** In steps of ten, so that few changes are read out. */
  private static String percent(Map<String, @Nullable Object> step) {
    return step.get("done") instanceof Number done
            && step.get("total") instanceof Number total
            && total.longValue() > 0
        ? ", %s %%".formatted(10 * done.longValue() / total.longValue() * 10)
        : "";
  }
}
