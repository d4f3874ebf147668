package palmares.console;

import java.util.ArrayList;
import java.util.Collection;
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
import java.util.stream.Stream;

/**
 * Puts sentences of the operations API into another language. What it says is stored in English
 * with its values, so a sentence is found by its form: {@code sentences.properties} has the forms,
 * and the file of a language has what they mean. A sentence of no known form stays as it is.
 */
final class SentenceTranslations {
  private static final String BUNDLE = "palmares.console.sentences";
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

  private SentenceTranslations(List<Form> forms) {
    this.forms = forms;
  }

  /**
   * A form of a sentence.
   *
   * @param words what is between the values, before the first and after the last
   * @param numbers of the values
   */
  private record Form(List<String> words, List<Integer> numbers, String translation) {
    static Form of(String form, String translation) {
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

  /** The sentences of a language; those of English have no form, so that they stay. */
  static SentenceTranslations in(Locale locale) {
    return BY_LANGUAGE.computeIfAbsent(
        locale.getLanguage(),
        language -> new SentenceTranslations(forms(Locale.forLanguageTag(language))));
  }

  private static List<Form> forms(Locale locale) {
    ResourceBundle english = ResourceBundle.getBundle(BUNDLE, Locale.ROOT, NO_OTHER_LANGUAGE);
    ResourceBundle translated = ResourceBundle.getBundle(BUNDLE, locale, NO_OTHER_LANGUAGE);
    Collection<String> keys = translated.getLocale().equals(locale) ? english.keySet() : List.of();
    // Of two forms, that with more words in common says more about a sentence.
    return keys.stream()
        .flatMap(
            key ->
                variants(english.getString(key)).stream()
                    .map(form -> Form.of(form, translated.getString(key))))
        .sorted(Comparator.comparingInt(Form::letters).reversed())
        .toList();
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
        return VALUE
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
