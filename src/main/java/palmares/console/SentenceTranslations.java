package palmares.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Puts sentences of the operations API into the language of a page. What it says is stored in
 * English with its values, so a sentence is found by its form: {@code sentences.properties} has the
 * forms, and the file of a language has what they mean. A sentence of no known form stays as it is.
 */
final class SentenceTranslations {
  private static final String BUNDLE = "palmares.console.sentences";

  /** Ends a sentence, or announces what follows. */
  private static final String ENDS = ".!?:;…。！？：；";

  private static final Map<String, SentenceTranslations> BY_LANGUAGE = new ConcurrentHashMap<>();
  private static final ResourceBundle.Control NO_OTHER_LANGUAGE =
      ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

  /** In a form, a number of things, and what they are if there is one, and if there are more. */
  private static final Pattern COUNT = Pattern.compile("\\{(\\d+)#([^#}]*)#([^#}]*)\\}");

  /** In a form, a value, or words that the code puts in as a value. */
  static final Pattern HOLE = Pattern.compile("\\{(?:(\\d+)|=([^}]*))\\}");

  /** In a translation, a value; the word after its number says how it is translated. */
  static final Pattern VALUE = Pattern.compile("\\{(\\d+)(?::(\\w+))?\\}");

  private final List<Form> forms;
  private final boolean isChinese;

  private SentenceTranslations(Locale locale) {
    forms = forms(locale);
    isChinese = locale.getLanguage().equals("zh");
  }

  /**
   * A form of a sentence.
   *
   * @param words what is between the values, before the first and after the last
   * @param numbers of the values
   * @param translation null if the sentence stays as it is
   */
  private record Form(List<String> words, List<Integer> numbers, @Nullable String translation) {
    static Form of(String form, @Nullable String translation) {
      var words = new ArrayList<String>();
      var numbers = new ArrayList<Integer>();
      var word = new StringBuilder();
      int end = 0;
      Matcher hole = HOLE.matcher(form);
      while (hole.find()) {
        word.append(form, end, hole.start());
        end = hole.end();
        if (hole.group(1) == null) {
          word.append(hole.group(2));
        } else {
          words.add(word.toString());
          numbers.add(Integer.valueOf(hole.group(1)));
          word.setLength(0);
        }
      }
      words.add(word.append(form.substring(end)).toString());
      return new Form(List.copyOf(words), List.copyOf(numbers), translation);
    }

    /** Whether a sentence of several lines has this form, and each value of several lines ends. */
    boolean matchesLines(String lines) {
      Optional<Map<Integer, String>> values = values(lines);
      if (values.isEmpty()) {
        return false;
      }
      return IntStream.range(0, numbers.size())
          .filter(i -> words.get(i).isEmpty() || words.get(i + 1).isEmpty())
          .noneMatch(i -> values.get().getOrDefault(numbers.get(i), "").indexOf('\n') >= 0);
    }

    int letters() {
      return words.stream().mapToInt(String::length).sum();
    }

    /** The values in a sentence of this form, each as short as can be; empty if it has another. */
    Optional<Map<Integer, String>> values(String sentence) {
      String first = words.get(0);
      String last = words.get(numbers.size());
      if (!sentence.startsWith(first)) {
        return Optional.empty();
      }
      Map<Integer, String> values = new HashMap<>();
      int at = first.length();
      for (int i = 0; i < numbers.size(); i++) {
        String word = words.get(i + 1);
        int next =
            i + 1 < numbers.size() ? sentence.indexOf(word, at) : sentence.length() - last.length();
        if (next < at || !sentence.startsWith(word, next)) {
          return Optional.empty();
        }
        values.put(numbers.get(i), sentence.substring(at, next));
        at = next + word.length();
      }
      return at == sentence.length() ? Optional.of(values) : Optional.empty();
    }
  }

  /** A form that counts things, once for each number of theirs. */
  static List<String> variants(String form) {
    Matcher count = COUNT.matcher(form);
    return count.find()
        ? Stream.of("{$1} {=$2}", "{$1} {=$3}")
            .flatMap(counted -> variants(count.replaceFirst(counted)).stream())
            .toList()
        : List.of(form);
  }

  /** The sentences of a language. */
  static SentenceTranslations in(Locale locale) {
    return BY_LANGUAGE.computeIfAbsent(
        locale.getLanguage(),
        language -> new SentenceTranslations(Locale.forLanguageTag(language)));
  }

  private static List<Form> forms(Locale locale) {
    ResourceBundle english = ResourceBundle.getBundle(BUNDLE, Locale.ROOT, NO_OTHER_LANGUAGE);
    ResourceBundle translated = ResourceBundle.getBundle(BUNDLE, locale, NO_OTHER_LANGUAGE);
    // Of two forms, that with more words in common says more about a sentence.
    return english.keySet().stream()
        .flatMap(key -> forms(english.getString(key), translated.getString(key)))
        .sorted(Comparator.comparingInt(Form::letters).reversed())
        .toList();
  }

  private static Stream<Form> forms(String english, String translated) {
    String translation = translated.equals(english) ? null : translated;
    return variants(english).stream().map(form -> Form.of(form, translation));
  }

  /**
   * Whether a text has a known form that begins with words, not with a value such as the id of a
   * board; empty if it has no known form.
   */
  private Optional<Boolean> beginsWithWords(String text) {
    for (Form form : forms) {
      Optional<Map<Integer, String>> values = form.values(text);
      if (values.isPresent()) {
        if (!form.words().get(0).isEmpty()) {
          return Optional.of(true);
        }
        String value = values.get().getOrDefault(form.numbers().get(0), "");
        return Optional.of(value.indexOf(' ') > 0 && beginsWithWords(value).orElse(false));
      }
    }
    return Optional.empty();
  }

  /**
   * A whole sentence in this language, or several on a line each: it begins with a capital letter
   * and has a full stop. A text of no known form, such as an error of another system or a row of a
   * table, stays as it is. A value such as a reason may have several lines.
   */
  String sayWhole(String text, BiFunction<String, String, String> value) {
    return isOneSentence(text)
        ? sentence(text, value)
        : text.lines().map(line -> sentence(line, value)).collect(Collectors.joining("\n"));
  }

  /** Several sentences of one form could look like one with a value that reaches over them. */
  private boolean isOneSentence(String text) {
    return text.indexOf('\n') < 0
        || !text.lines().allMatch(line -> beginsWithWords(line).isPresent())
            && forms.stream().anyMatch(form -> form.matchesLines(text));
  }

  private String sentence(String text, BiFunction<String, String, String> value) {
    Optional<Boolean> known = beginsWithWords(text);
    String said = say(text, value);
    if (known.isEmpty() || said.isEmpty() || Character.isWhitespace(said.charAt(0))) {
      return said;
    }
    boolean isOver = ENDS.indexOf(said.charAt(said.length() - 1)) >= 0;
    // Chinese has no capitals, and may begin with an id where English begins with words.
    return (known.get() && !isChinese ? StringUtils.capitalize(said) : said)
        + (isOver ? "" : isChinese ? "。" : ".");
  }

  /**
   * The sentence in this language.
   *
   * @param value translates a value that is no text of a person: gets how, and the value
   */
  String say(String sentence, BiFunction<String, String, String> value) {
    for (Form form : forms) {
      Optional<Map<Integer, String>> values = form.values(sentence);
      if (values.isPresent()) {
        return form.translation() == null
            ? sentence
            : VALUE
                .matcher(form.translation())
                .replaceAll(found -> Matcher.quoteReplacement(said(found, values.get(), value)));
      }
    }
    return sentence;
  }

  private String said(
      MatchResult found, Map<Integer, String> values, BiFunction<String, String, String> value) {
    String text = values.getOrDefault(Integer.valueOf(found.group(1)), "");
    String how = found.group(2);
    if (how == null || text.isEmpty()) {
      return text;
    }
    return how.equals("say") || how.equals("part") ? say(text, value) : value.apply(how, text);
  }

  /** Several sentences, or a sentence and a list of what it is about, each on a line. */
  String sayLines(String text, BiFunction<String, String, String> value) {
    String whole = say(text, value);
    return !whole.equals(text) || text.indexOf('\n') < 0
        ? whole
        : text.lines().map(line -> say(line, value)).collect(Collectors.joining("\n"));
  }
}
