package palmares.platform.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.util.StringUtils;

/**
 * Makes text of sentences in one language, by the templates in {@code sentences*.properties}.
 *
 * <p>In a template, <code>{name}</code> is a value, <code>{name#member#members}</code> a number of
 * things, and <code>{name:kind}</code> a value of a kind: {@code id} (a number without separators),
 * {@code signed}, {@code time}, {@code exact-time}, {@code duration}, {@code size} (bytes), or a
 * word whose text has the key {@code kind.value}. An amount of {@link Money} is followed by its
 * currency. Of a list of sentences, {@code phrases} are joined as words are, {@code lines} and
 * {@code indented} ones begin a line each; of words, any may be chosen if they are {@code either}.
 * A value that is null is left out. <code>\{</code> is a brace that begins no value.
 */
public final class Texts {
  private static final ResourceBundle.Control NO_OTHER_LANGUAGE =
      ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);
  private static final Map<String, Texts> BY_LANGUAGE = new ConcurrentHashMap<>();

  /** A value in a template. */
  static final Pattern VALUE =
      Pattern.compile("(?<!\\\\)\\{(\\w+)(?::([\\w-]+)|#([^#}]*)#([^#}]*))?\\}");

  /** Ends a sentence, or announces what follows. */
  private static final String ENDS = ".!?:;…。！？：；";

  private final ResourceBundle bundle;

  /** Those that were used: a command uses few of two thousand. */
  private final Map<String, Template> templates = new ConcurrentHashMap<>();

  private final boolean isChinese;

  private Texts(Locale locale) {
    bundle =
        ResourceBundle.getBundle("palmares.platform.text.sentences", locale, NO_OTHER_LANGUAGE);
    isChinese = locale.getLanguage().equals("zh");
  }

  /**
   * A template, which is parsed once, as many events may be refused by one.
   *
   * @param words what is before the first value, between the values, and after the last
   */
  private record Template(List<String> words, List<Value> values) {
    /**
     * @param kind null if it has none
     * @param one what it counts, if it is 1; null if it counts nothing
     */
    record Value(String name, @Nullable String kind, @Nullable String one, String more) {
      static Value of(MatchResult found) {
        return new Value(
            found.group(1), found.group(2), found.group(3), String.valueOf(found.group(4)));
      }
    }

    static Template of(String text) {
      return new Template(
          Arrays.stream(VALUE.split(text, -1)).map(words -> words.replace("\\{", "{")).toList(),
          VALUE.matcher(text).results().map(Value::of).toList());
    }

    boolean beginsWithWords() {
      return !words.get(0).isEmpty();
    }
  }

  /** The texts of a language; English if there are none. */
  public static Texts in(Locale locale) {
    return BY_LANGUAGE.computeIfAbsent(
        locale.getLanguage(), language -> new Texts(Locale.forLanguageTag(language)));
  }

  /** The texts of the language of the caller. */
  public static Texts here() {
    return in(LocaleContextHolder.getLocale());
  }

  /** The language of the texts, as HTML names it. */
  public String language() {
    return isChinese ? "zh" : "en";
  }

  /** A sentence in English. */
  public static String english(Sentence sentence) {
    return in(Locale.ENGLISH).of(sentence);
  }

  /** Several sentences on one line. */
  public String list(Collection<? extends Sentence> sentences) {
    return sentences.stream().map(this::of).collect(Collectors.joining(word("list", "sentences")));
  }

  /** A sentence, without a full stop. */
  public String of(Sentence sentence) {
    String text = text(sentence.code(), sentence.values());
    return text != null ? text : sentence instanceof Said said ? said.text() : sentence.code();
  }

  /** A sentence with a capital letter and a full stop. */
  public String whole(Sentence sentence) {
    if (sentence.isVerbatim()) {
      return of(sentence);
    }
    String text = of(sentence);
    if (text.isEmpty() || Character.isWhitespace(text.charAt(0))) {
      return text;
    }
    char last = text.charAt(text.length() - 1);
    boolean isOver = ENDS.indexOf(last) >= 0 || Character.isWhitespace(last);
    return (beginsWithWords(sentence.code(), sentence.values())
            ? StringUtils.capitalize(text)
            : text)
        + (isOver ? "" : isChinese ? "。" : ".");
  }

  /** Two sentences as {@link #whole}, one after the other. */
  public String whole(Sentence first, Sentence second) {
    return whole(first) + (isChinese ? "" : " ") + whole(second);
  }

  private @Nullable Template template(String key) {
    Template used = templates.get(key);
    if (used != null || !bundle.containsKey(key)) {
      return used;
    }
    Template first = Template.of(bundle.getString(key));
    templates.put(key, first);
    return first;
  }

  /** An id that comes first stays as it is. */
  private boolean beginsWithWords(String code, Map<?, ?> values) {
    Template template = template(code);
    if (template == null || template.beginsWithWords()) {
      return template != null;
    }
    if (template.values().isEmpty()) {
      return false;
    }
    Template.Value first = template.values().get(0);
    Object value = values.get(first.name());
    return bundle.containsKey(first.kind() + "." + value)
        || value instanceof Map<?, ?> part
            && part.get("values") instanceof Map<?, ?> inner
            && beginsWithWords(String.valueOf(part.get("code")), inner);
  }

  private @Nullable String text(String code, Map<?, ?> values) {
    if (code.equals(Said.VERBATIM)) {
      return String.valueOf(values.get("text"));
    }
    Template template = template(code);
    if (template == null) {
      return null;
    }
    var text = new StringBuilder(template.words().get(0));
    for (int i = 0; i < template.values().size(); i++) {
      text.append(value(template.values().get(i), values)).append(template.words().get(i + 1));
    }
    return text.toString();
  }

  private String value(Template.Value found, Map<?, ?> values) {
    Object value = values.get(found.name());
    if (found.one() == null) {
      return text(found.kind(), value);
    }
    boolean isOne = value instanceof Number number && number.longValue() == 1;
    return text(null, value) + " " + (isOne ? found.one() : found.more());
  }

  private String text(@Nullable String kind, @Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Collection<?> all) {
      return all.stream().map(each -> text(kind, each)).collect(joining(kind, all));
    }
    if (value instanceof Map<?, ?> part) {
      if (part.get(Said.AMOUNT) instanceof Number amount) {
        return number(amount) + " " + part.get(Said.CURRENCY);
      }
      String code = String.valueOf(part.get("code"));
      String text = part.get("values") instanceof Map<?, ?> inner ? text(code, inner) : null;
      return text == null ? code : text;
    }
    if (kind == null) {
      return value instanceof Number number ? number(number) : value.toString();
    }
    return switch (kind) {
      case "id" -> value.toString();
      case "signed" -> (((Number) value).longValue() > 0 ? "+" : "") + number((Number) value);
      case "time" -> time(value.toString(), DisplayFormat::time);
      case "exact-time" -> time(value.toString(), DisplayFormat::exactTime);
      case "duration" -> DisplayFormat.duration(Duration.parse(value.toString()));
      case "size" -> DisplayFormat.size(((Number) value).longValue());
      default -> word(kind, value.toString());
    };
  }

  /** A changed row may have another time than any calendar, such as {@code infinity}. */
  private static String time(String value, BiFunction<Instant, ZoneId, String> format) {
    try {
      OffsetDateTime time = OffsetDateTime.parse(value);
      return format.apply(time.toInstant(), time.getOffset());
    } catch (DateTimeParseException noTime) {
      return value;
    }
  }

  private Collector<CharSequence, ?, String> joining(@Nullable String kind, Collection<?> all) {
    boolean areSentences =
        all.stream().anyMatch(each -> each instanceof Map<?, ?> part && part.containsKey("code"));
    return Collectors.joining(
        switch (String.valueOf(kind)) {
          case "lines" -> "\n";
          case "indented" -> "\n  ";
          case "either" -> word("list", "either");
          case "phrases" -> word("list", "words");
          default -> word("list", areSentences ? "sentences" : "words");
        });
  }

  /** The word of a value; the value itself if it has none. */
  public String word(String kind, String value) {
    String known = knownWord(kind, value);
    return known == null ? value : known;
  }

  /** The word of a value; null if it has none. */
  public @Nullable String knownWord(String kind, String value) {
    Template word = template(kind + "." + value);
    return word == null ? null : word.words().get(0);
  }

  private static String number(Number number) {
    return DisplayFormat.number(new BigDecimal(number.toString()));
  }
}
