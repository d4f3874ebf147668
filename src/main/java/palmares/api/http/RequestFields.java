package palmares.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;
import org.springframework.util.ReflectionUtils;
import palmares.period.auditlog.AuditEntry;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Choice;
import palmares.platform.text.Fault;
import palmares.platform.text.InvalidValue;
import palmares.platform.text.Sentence;
import palmares.platform.time.DayOrTime;
import palmares.rules.board.BoardId;
import palmares.rules.board.MemberId;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the JSON object of a request into its record, and refuses it with all that is wrong: fields
 * that are unknown, missing, or of another type, and texts that a field does not take.
 */
@Component
public final class RequestFields extends AbstractHttpMessageConverter<Record> {
  /** The person's reason, which has one rule in all requests. */
  /** Fields of people's passwords, which no answer repeats. */
  private static final Set<String> SECRETS = Set.of("password", "present", "wanted");

  private static final String REASON = "reason";

  /** The ids that fields take, each with what refuses a text that is none. */
  private static final Map<Class<?>, Consumer<String>> IDS =
      Map.of(BoardId.class, BoardId::new, MemberId.class, MemberId::new);

  /** The types of fields in JSON. */
  private static final Map<String, String> TYPES =
      Map.of(
          "boolean", "boolean",
          "java.lang.String", "string",
          "java.lang.Integer", "int32",
          "java.lang.Long", "int64",
          "java.util.List<java.lang.String>", "strings",
          "java.util.List<java.lang.Long>", "integers",
          "java.util.Map<java.lang.String, java.lang.String>", "object-of-strings",
          "java.util.Map<java.lang.String, java.lang.Long>", "object-of-integers");

  /** The most characters of a value that a refusal repeats. */
  private static final int MAX_SHOWN = 60;

  private final JsonMapper json;

  RequestFields(JsonMapper json) {
    super(MediaType.APPLICATION_JSON, new MediaType("application", "*+json"));
    this.json = json;
  }

  @Override
  protected boolean supports(Class<?> type) {
    return type.isRecord();
  }

  @Override
  public boolean canWrite(Class<?> type, @Nullable MediaType format) {
    return false;
  }

  @Override
  protected Record readInternal(Class<? extends Record> type, HttpInputMessage message)
      throws IOException {
    JsonNode body;
    try {
      body = json.readTree(message.getBody());
    } catch (JacksonException e) {
      throw new HttpMessageNotReadableException("no JSON", e, message);
    }
    if (!body.isObject()) {
      throw new HttpMessageNotReadableException("no object", message);
    }
    RecordComponent[] fields = type.getRecordComponents();
    List<String> names = Stream.of(fields).map(RecordComponent::getName).toList();
    var faults = new ArrayList<Fault>();
    body.propertyNames().stream()
        .filter(name -> !names.contains(name))
        .forEach(name -> faults.add(Fault.of(name, HttpSentences.NoField.of(name, names))));
    var values = new @Nullable Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      JsonNode value = body.path(names.get(i));
      try {
        values[i] =
            json.treeToValue(
                value.isMissingNode() ? json.nullNode() : value,
                json.constructType(fields[i].getGenericType()));
        faults.addAll(faults(fields[i], values[i]));
      } catch (JacksonException e) {
        faults.add(Fault.of(names.get(i), fault(fields[i], value, e)));
      }
    }
    refuse(faults);
    return BeanUtils.instantiateClass(BeanUtils.getResolvableConstructor(type), values);
  }

  @Override
  protected void writeInternal(Record record, HttpOutputMessage message) {
    throw new UnsupportedOperationException();
  }

  /**
   * Returns a request that no converter has read.
   *
   * @throws Refusal if a field is missing, or does not take its text
   */
  public static <B extends Record> B require(B body) {
    refuse(
        Stream.of(body.getClass().getRecordComponents())
            .flatMap(field -> faults(field, value(body, field)).stream())
            .toList());
    return body;
  }

  private static @Nullable Object value(Record body, RecordComponent field) {
    ReflectionUtils.makeAccessible(field.getAccessor());
    return ReflectionUtils.invokeMethod(field.getAccessor(), body);
  }

  private static void refuse(List<Fault> faults) {
    if (!faults.isEmpty()) {
      Sentence first = faults.get(0).said();
      Problem problem =
          first instanceof HttpSentences.NoField
              ? Problem.UNKNOWN_FIELD
              : first instanceof InputSentences.Missing
                  ? Problem.MISSING_FIELD
                  : Problem.INVALID_FIELD;
      throw new Refusal(problem, faults);
    }
  }

  /** What is wrong with a value that the type of a field does not take. */
  private static Sentence fault(RecordComponent field, JsonNode value, JacksonException e) {
    String name = field.getName();
    if (e instanceof InvalidNullException) {
      return new HttpSentences.FieldHasNull(name);
    }
    return e instanceof InvalidFormatException unstorable
            && unstorable.getTargetType() == String.class
        ? new HttpSentences.FieldHasNul(name)
        : new HttpSentences.FieldOfOtherType(
            name,
            requireNonNull(TYPES.get(field.getGenericType().getTypeName())),
            SECRETS.contains(name) ? "…" : shown(value));
  }

  /** The beginning of a value, without half of a surrogate pair. */
  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() <= MAX_SHOWN
        ? text
        : new String(text.substring(0, MAX_SHOWN).getBytes(UTF_8), UTF_8) + "…";
  }

  private static List<Fault> faults(RecordComponent field, @Nullable Object value) {
    String name = field.getName();
    AnnotatedType type = field.getAnnotatedType();
    if (value instanceof Collection<?> all && all.stream().anyMatch(Objects::isNull)) {
      return List.of(Fault.of(name, new HttpSentences.FieldHasNull(name)));
    }
    if (value instanceof Collection<?> all
        && type instanceof AnnotatedParameterizedType list
        && list.getAnnotatedActualTypeArguments()[0].isAnnotationPresent(Takes.class)) {
      Takes each = list.getAnnotatedActualTypeArguments()[0].getAnnotation(Takes.class);
      return all.stream().flatMap(one -> fault(name, each, one).stream()).toList();
    }
    if (value == null) {
      return type.isAnnotationPresent(Nullable.class)
          ? List.of()
          : List.of(Fault.of(name, new InputSentences.Missing(name)));
    }
    if (name.equals(REASON) && AuditEntry.storableReason(value.toString()).isEmpty()) {
      return List.of(Fault.of(name, new InputSentences.NotAReason(AuditEntry.MAX_REASON_LENGTH)));
    }
    return fault(name, type.getAnnotation(Takes.class), value).stream().toList();
  }

  private static Optional<Fault> fault(String field, @Nullable Takes takes, @Nullable Object text) {
    return takes == null || text == null
        ? Optional.empty()
        : fault(field, takes, text.toString()).map(said -> Fault.of(field, said));
  }

  private static Optional<Sentence> fault(String field, Takes takes, String text) {
    if (Choice.class.isAssignableFrom(takes.value())) {
      List<String> words = words(takes);
      return words.contains(text)
          ? Optional.empty()
          : Optional.of(InputSentences.NotOneOf.of(field, words, text));
    }
    if (takes.value() == DayOrTime.class) {
      return DayOrTime.parse(text, ZoneOffset.UTC).isPresent()
          ? Optional.empty()
          : Optional.of(new InputSentences.NotATime(field, text));
    }
    try {
      requireNonNull(IDS.get(takes.value())).accept(text);
      return Optional.empty();
    } catch (InvalidValue e) {
      return Optional.of(e.said());
    }
  }

  /** The words that a field takes. */
  public static List<String> words(Takes takes) {
    return takes.words().length > 0
        ? List.of(takes.words())
        : Stream.of(takes.value().getEnumConstants())
            .map(constant -> ((Choice) constant).word())
            .toList();
  }
}
