package palmares.platform.infra;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import palmares.platform.form.FormSentences.DidYouMean;
import palmares.platform.form.Suggestion;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Sentence;
import palmares.platform.text.SettingSentences;
import palmares.platform.text.WrongSetting;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Refuses to start with a setting under {@code palmares.} that does not exist, so that a misspelt
 * one is not ignored. The known names are those that the build finds in the code.
 */
public final class KnownSettings
    implements ApplicationContextInitializer<ConfigurableApplicationContext>, Ordered {
  private static final String PREFIX = "palmares.";
  private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

  /** What commands set at each start; reading the metadata for these alone would take long. */
  private static final Set<String> SET_BY_COMMANDS =
      Set.of(
          "palmares.anchors.folder",
          "palmares.archive.folder",
          "palmares.cache",
          "palmares.data",
          "palmares.infra",
          "palmares.jobs",
          "palmares.journal.drain",
          "palmares.launcher",
          "palmares.launcher-mark",
          "palmares.launcher-parent",
          "palmares.outbox.background",
          "palmares.purpose",
          "palmares.relay.background",
          "palmares.roles",
          "palmares.signals.background",
          "palmares.writer.enabled");

  private static final List<String> NEEDED_BEFORE_FILES =
      List.of("palmares.jobs", "palmares.roles");

  /** What Kubernetes sets in every container next to a service whose name begins like ours. */
  private static final Pattern OF_KUBERNETES =
      Pattern.compile("PALMARES_(\\w+_)?(SERVICE_HOST|SERVICE_PORT|PORT)(_\\w+)?");

  /** What commands that call a server read, and the language of all: no settings of a server. */
  private static final Set<String> OF_CALLERS =
      Set.of("PALMARES_URL", "PALMARES_TOKEN", "PALMARES_PROFILE", "PALMARES_LANGUAGE");

  private static final Pattern INDEX = Pattern.compile("\\[.*");

  /** Webhooks by name, each of which has the settings of the one that has none. */
  private static final Pattern NAMED_WEBHOOK =
      Pattern.compile("^palmares\\.outbox\\.webhooks\\.[^.\\[]+\\.");

  private static final Pattern VARIABLE_OF_NAMED_WEBHOOK =
      Pattern.compile("^PALMARES_OUTBOX_WEBHOOKS_[^_]+_");

  /** Before the servers are started. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    refuseInFiles(context.getEnvironment());
    Map<String, PropertySource<?>> named = named(context.getEnvironment());
    if (SET_BY_COMMANDS.containsAll(named.keySet())) {
      return;
    }
    Set<String> known = read();
    var faults = new ArrayList<Sentence>();
    named.forEach(
        (name, source) -> {
          if (!isKnown(name, source, known)) {
            faults.add(
                new SettingSentences.Unknown(
                    name, origin(name, source), hint(name, source, known)));
          }
        });
    // Classes that were not compiled by the build have no metadata.
    if (!faults.isEmpty() && !known.isEmpty()) {
      throw new WrongSetting(null, ListSentences.lines(faults, faults.size()));
    }
  }

  /** A command needs these before Spring reads its files, which would be ignored. */
  private static void refuseInFiles(ConfigurableEnvironment environment) {
    for (PropertySource<?> source : environment.getPropertySources()) {
      for (String name : NEEDED_BEFORE_FILES) {
        if (source instanceof OriginTrackedMapPropertySource && source.containsProperty(name)) {
          throw new WrongSetting(
              null,
              new SettingSentences.IneffectiveInFile(name, origin(name, source), variable(name)));
        }
      }
    }
  }

  /** The settings under our prefix, each with its first source. */
  private static Map<String, PropertySource<?>> named(ConfigurableEnvironment environment) {
    var named = new TreeMap<String, PropertySource<?>>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> enumerable) {
        boolean variables = isEnvironment(source);
        for (String name : enumerable.getPropertyNames()) {
          boolean ours =
              variables
                  ? name.startsWith("PALMARES_")
                      && !OF_CALLERS.contains(name)
                      && !OF_KUBERNETES.matcher(name).matches()
                  : name.toLowerCase(Locale.ROOT).startsWith(PREFIX);
          if (ours) {
            named.putIfAbsent(name, source);
          }
        }
      }
    }
    return named;
  }

  private static boolean isEnvironment(PropertySource<?> source) {
    return source instanceof SystemEnvironmentPropertySource;
  }

  private static boolean isKnown(String name, PropertySource<?> source, Set<String> known) {
    if (isEnvironment(source)) {
      String variable =
          VARIABLE_OF_NAMED_WEBHOOK
              .matcher(name.replaceFirst("(_\\d+)+_?$", ""))
              .replaceFirst("PALMARES_OUTBOX_WEBHOOK_");
      return known.stream().anyMatch(each -> ofVariable(each).equals(ofVariable(variable)));
    }
    String plain = INDEX.matcher(name).replaceFirst("");
    var asked =
        ConfigurationPropertyName.adapt(
            NAMED_WEBHOOK.matcher(plain).replaceFirst("palmares.outbox.webhook."), '.');
    return known.stream().map(ConfigurationPropertyName::of).anyMatch(asked::equals);
  }

  /** In an environment variable, dots, dashes and underscores cannot be distinguished. */
  private static String ofVariable(String name) {
    return name.replaceAll("[._-]", "").toLowerCase(Locale.ROOT);
  }

  private static Sentence hint(String name, PropertySource<?> source, Set<String> known) {
    Map<String, String> alike =
        known.stream()
            .map(each -> isEnvironment(source) ? variable(each) : each)
            .collect(Collectors.toMap(KnownSettings::withoutPrefix, each -> each));
    return Suggestion.find(withoutPrefix(name), alike.keySet())
        .<Sentence>map(nearest -> new DidYouMean(String.valueOf(alike.get(nearest))))
        .orElse(new SettingSentences.ListedIn("src/docs/configuration.md"));
  }

  /** All names begin alike, which makes none of them similar to another. */
  private static String withoutPrefix(String name) {
    return name.substring(PREFIX.length());
  }

  private static String variable(String name) {
    return name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  private static Sentence origin(String name, PropertySource<?> source) {
    if (isEnvironment(source)) {
      return new SettingSentences.Variable();
    }
    if (source instanceof CommandLinePropertySource<?>) {
      return new SettingSentences.DefinitionOfCall();
    }
    @Nullable Origin origin = OriginLookup.getOrigin(source, name);
    return Sentence.verbatim(origin == null ? source.getName() : origin.toString());
  }

  /** All names; none if the classes were compiled without the annotation processor. */
  private static Set<String> read() {
    var known = new TreeSet<String>();
    try (InputStream metadata = KnownSettings.class.getResourceAsStream(METADATA)) {
      JsonNode properties =
          metadata == null
              ? JsonMapper.shared().createArrayNode()
              : JsonMapper.shared().readTree(metadata).path("properties");
      for (JsonNode property : properties) {
        String name = property.path("name").asString();
        if (name.startsWith(PREFIX)) {
          known.add(name);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(METADATA + " cannot be read", e);
    }
    return known;
  }
}
