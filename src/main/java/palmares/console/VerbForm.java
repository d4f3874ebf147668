package palmares.console;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.ui.Model;
import palmares.api.http.InputSentences;
import palmares.api.http.RequestFields;
import palmares.api.ops.Listing;
import palmares.api.roles.Role;
import palmares.operations.batches.Batches;
import palmares.operations.batches.NumberRanges;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Task;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.rules.board.Sha256;

/**
 * A verb of the operations API as a form.
 *
 * @param word of its path and messages
 * @param roles of which a caller needs one
 * @param targets the fields that say what it is about, which a link to the form has
 * @param fields what a person fills in, besides the reason
 * @param call makes the call, with the values of the fields
 * @param context what a person should see before deciding; null for nothing but the dry run
 * @param dangerous whether it removes something or stops what others rely on
 * @param unbounded whether the call may run statements over all that a period or a member has,
 *     which take as long as they take
 * @param isPreviewed whether a person must have seen what it would change before it is called
 */
record VerbForm(
    String word,
    Set<Role> roles,
    List<String> targets,
    List<Field> fields,
    Caller call,
    @Nullable Context context,
    boolean dangerous,
    boolean unbounded,
    boolean isPreviewed) {

  /** Calls the verb. */
  @FunctionalInterface
  interface Caller {
    Task call(Values values, Call call);
  }

  /** Shows what a person should see before deciding. */
  @FunctionalInterface
  interface Context {
    /**
     * Adds it to the page.
     *
     * @return the digest of what is shown, which the call names; null if it names none
     */
    @Nullable String addTo(Values values, Model model);
  }

  /** The kind of a field. */
  enum Kind {
    TEXT,
    AREA,
    /** A text that may be read from a file. */
    UPLOAD,
    /** The same as another field, typed again; it is asked for once the preview is shown. */
    CONFIRM,
    SELECT,
    /** A board that there is, or none. */
    BOARD,
    /** A day in the zone of the board. */
    DAY,
    CHECK,
    /** Says that the verb is about all of a kind, where the fields that name some are empty. */
    ALL,
    ROLES,
    HIDDEN
  }

  /**
   * A field of a form.
   *
   * @param options of a select field; the fields that name some of those that {@link Kind#ALL} is
   *     about
   * @param preset what it has before somebody types; null for nothing
   */
  record Field(
      String name, Kind kind, boolean required, List<String> options, @Nullable String preset) {
    /** The key of its label. */
    public String label() {
      return kind == Kind.ALL ? "all." + options.get(0) : "field." + name;
    }

    public String kindWord() {
      return kind.name().toLowerCase(Locale.ROOT);
    }
  }

  VerbForm(String word, Role role, String targets, Caller call) {
    this(
        word,
        Set.of(role),
        targets.isEmpty() ? List.of() : List.of(targets.split(" ")),
        List.of(),
        call,
        null,
        false,
        false,
        false);
  }

  /** The same with a field more. */
  VerbForm with(String name, Kind kind, boolean required, String... options) {
    return with(new Field(name, kind, required, List.of(options), null));
  }

  private VerbForm with(Field field) {
    var all = new ArrayList<>(fields);
    all.add(field);
    return new VerbForm(
        word, roles, targets, all, call, context, dangerous, unbounded, isPreviewed);
  }

  VerbForm text(String name) {
    return with(name, Kind.TEXT, false);
  }

  VerbForm board() {
    return with("board", Kind.BOARD, false);
  }

  VerbForm day(String name, boolean required) {
    return with(name, Kind.DAY, required);
  }

  VerbForm required(String name) {
    return with(name, Kind.TEXT, true);
  }

  VerbForm area(String name) {
    return with(name, Kind.AREA, false);
  }

  /** The same with a text that must be filled in, and usually is this one. */
  VerbForm preset(String name, String value) {
    return with(new Field(name, Kind.TEXT, true, List.of(), value));
  }

  /** The same with a text that may be read from a file. */
  VerbForm upload(String name, boolean required) {
    return with(name, Kind.UPLOAD, required);
  }

  /** The same with a field in which a person types another one again. */
  VerbForm confirm(String name) {
    return with(name, Kind.CONFIRM, false);
  }

  VerbForm check(String name) {
    return with(name, Kind.CHECK, false);
  }

  /** The same with a check box for all, next to the fields that name some. */
  VerbForm orAll(String... fields) {
    return with("all", Kind.ALL, false, fields);
  }

  VerbForm select(String name, boolean required, String... options) {
    return with(name, Kind.SELECT, required, options);
  }

  /** The same with a check box for each role. */
  VerbForm rolesOf(String name) {
    return with(name, Kind.ROLES, false);
  }

  VerbForm hidden(String name) {
    return with(name, Kind.HIDDEN, false);
  }

  /** The same with a list about its period that a person should see before deciding. */
  VerbForm showing(Function<Values, Listing> list) {
    return deciding(
        (values, model) -> {
          model.addAttribute(
              "context",
              Rows.of(list.apply(values))
                  .without("board", "period") // which the page names
                  .withoutEmpty()
                  .renamed("id", "event"));
          return null;
        });
  }

  /** The same with what a person decides on. */
  VerbForm deciding(Context shown) {
    return new VerbForm(
        word, roles, targets, fields, call, shown, dangerous, unbounded, isPreviewed);
  }

  /** The same for callers with another role, too. */
  VerbForm orFor(Role other) {
    var all = EnumSet.copyOf(roles);
    all.add(other);
    return new VerbForm(
        word, all, targets, fields, call, context, dangerous, unbounded, isPreviewed);
  }

  /** Whether the caller may call it. */
  boolean mayBeCalled() {
    return roles.stream().anyMatch(palmares.api.roles.Caller.get()::has);
  }

  /** The same, marked as one that removes something or stops what others rely on. */
  VerbForm marked() {
    return new VerbForm(word, roles, targets, fields, call, context, true, unbounded, isPreviewed);
  }

  /** The same, marked as one whose statements may take long. */
  VerbForm slow() {
    return new VerbForm(word, roles, targets, fields, call, context, dangerous, true, isPreviewed);
  }

  /** The same, called only by somebody who has seen what it would change. */
  VerbForm previewed() {
    return new VerbForm(word, roles, targets, fields, call, context, dangerous, unbounded, true);
  }

  /** Whether it is about all of a kind only if that is said. */
  public boolean hasAll() {
    return fields.stream().anyMatch(field -> field.kind() == Kind.ALL);
  }

  /** Whether the values name what it is about: some, or all. */
  boolean isNamed(Values values) {
    return fields.stream()
            .filter(field -> field.kind() == Kind.ALL)
            .flatMap(field -> Stream.concat(Stream.of(field.name()), field.options().stream()))
            .map(values::find)
            .anyMatch(Objects::nonNull)
        || !hasAll();
  }

  /** What a preview was shown for: it changes if a field does that the preview depends on. */
  String shown(Values values) {
    return Sha256.of(
        Stream.concat(
                targets.stream(),
                fields.stream().filter(f -> f.kind() != Kind.CONFIRM).map(Field::name))
            .map(name -> values.typed().getOrDefault(name, ""))
            .map(value -> value.length() + ":" + value)
            .collect(Collectors.joining()));
  }

  /** The values of a form, as they were typed. */
  record Values(Map<String, String> typed) {
    Values {
      typed = Map.copyOf(typed);
    }

    /** The body of a call: each of its fields has the value of the field with its name. */
    <B extends Record> B body(Class<B> type) {
      RecordComponent[] fields = type.getRecordComponents();
      var values = new @Nullable Object[fields.length];
      for (int i = 0; i < fields.length; i++) {
        values[i] = value(fields[i]);
      }
      return RequestFields.require(
          BeanUtils.instantiateClass(BeanUtils.getResolvableConstructor(type), values));
    }

    private @Nullable Object value(RecordComponent field) {
      String name = field.getName();
      return switch (field.getGenericType().getTypeName()) {
        case "boolean" -> is(name);
        case "java.lang.Long" -> number(name);
        case "java.lang.Integer" -> integer(name);
        case "java.util.List<java.lang.Long>" -> numbers(name);
        case "java.util.List<java.lang.String>" -> words(name);
        case "java.util.Map<java.lang.String, java.lang.Long>" -> points(name);
        default -> find(name);
      };
    }

    /** A text; null if the field is empty. */
    @Nullable String find(String name) {
      String value = typed.getOrDefault(name, "").strip();
      return value.isEmpty() ? null : value;
    }

    /**
     * A text.
     *
     * @throws Refusal if the field is empty
     */
    String text(String name) {
      String value = find(name);
      if (value == null) {
        throw new Refusal(Problem.MISSING_FIELD, new PageSentences.Unfilled(name)).at(name);
      }
      return value;
    }

    String reason() {
      return text("reason");
    }

    String board() {
      return text("board");
    }

    String period() {
      return text("period");
    }

    /** The number of a batch. */
    long id() {
      return number("id", text("id"));
    }

    boolean is(String name) {
      return typed.containsKey(name);
    }

    @Nullable Long number(String name) {
      String value = find(name);
      return value == null ? null : number(name, value);
    }

    private static long number(String name, String value) {
      try {
        return Long.parseLong(value);
      } catch (NumberFormatException e) {
        throw invalid(name, new InputSentences.NotANumber(name, value));
      }
    }

    private static Refusal invalid(String field, Sentence said) {
      return new Refusal(Problem.INVALID_FIELD, said).at(field);
    }

    @Nullable Integer integer(String name) {
      Long value = number(name);
      if (value == null) {
        return null;
      }
      if (value != value.intValue()) {
        throw invalid(name, new InputSentences.TooLarge(name, value));
      }
      return value.intValue();
    }

    /**
     * Whole numbers, or ranges such as {@code 7-9}, with commas or spaces between them; null if the
     * field is empty.
     */
    @Nullable List<Long> numbers(String name) {
      List<String> words = words(name);
      if (words == null) {
        return null;
      }
      try {
        return NumberRanges.parse(words, Batches.MAX_EXCLUSIONS);
      } catch (InvalidValue e) {
        throw invalid(name, new PageSentences.NotNumbers(name, e.said()));
      }
    }

    /** Lines such as {@code ann = 120}; null if the field is empty. */
    @Nullable Map<String, Long> points(String name) {
      String value = find(name);
      if (value == null) {
        return null;
      }
      var points = new LinkedHashMap<String, Long>();
      for (String line : value.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
        int sign = line.lastIndexOf('=');
        if (sign < 1) {
          throw invalid(name, new PageSentences.NotPoints(name, line));
        }
        String member = line.substring(0, sign).strip();
        if (points.put(member, number(name, line.substring(sign + 1).strip())) != null) {
          throw invalid(name, new PageSentences.Twice(name, member));
        }
      }
      return points;
    }

    /** Words with commas or spaces between them; null if the field is empty. */
    @Nullable List<String> words(String name) {
      String value = find(name);
      return value == null
          ? null
          : Arrays.stream(value.split("[,\\s]+")).filter(word -> !word.isEmpty()).toList();
    }
  }
}
