package palmares.cli.launch;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import palmares.cli.terminal.UserError;
import palmares.platform.Refusal;
import palmares.platform.text.Sentence;
import palmares.platform.text.Setting;
import palmares.platform.text.SettingSentences;
import palmares.platform.text.WrongSetting;

/**
 * Says of a setting with a wrong value: its name, the value, what it must be, where it was set.
 *
 * @param definitions the names that an option {@code -D} of the call has set
 */
record WrongValue(Set<String> definitions) {
  private static final List<String> PORTS = List.of("server.port", "management.server.port");
  private static final int MAX_PORT = 65_535;

  /** Settings whose values nobody may read; URLs may have a password. */
  private static final Pattern SECRET =
      Pattern.compile("(.*[.-])?(password|secret|token|key|url)(\\[[^\\]]*\\])*");

  /** What a settings record found, and where it was set. */
  Sentence said(WrongSetting wrong, @Nullable Environment environment) {
    return wrong.setting() == null || environment == null
        ? wrong.said()
        : located(wrong.said(), origin(wrong.setting(), environment));
  }

  /** What is wrong with a value that is not of the type of the setting, and where it was set. */
  Sentence said(BindException wrong) {
    ConfigurationProperty property = wrong.getProperty();
    if (property == null || !property.getName().equals(wrong.getName())) {
      String name = wrong.getName().toString();
      Throwable cause = NestedExceptionUtils.getMostSpecificCause(wrong);
      return SECRET.matcher(name).matches()
          ? new Setting(name).wrongSecret(new SettingSentences.OtherForm()).said()
          : new SettingSentences.Other(name, Refusal.said(cause));
    }
    String name = property.getName().toString();
    Class<?> type = wrong.getTarget().getType().resolve(Object.class);
    Sentence rule = SettingSentences.of(type).orElseGet(SettingSentences.OtherForm::new);
    var setting = new Setting(name);
    WrongSetting found =
        SECRET.matcher(name).matches()
            ? setting.wrongSecret(rule)
            : setting.wrong(String.valueOf(property.getValue()), rule);
    return located(found.said(), property.getOrigin());
  }

  /**
   * Checks what would otherwise fail without a name, when the port is opened.
   *
   * @throws UserError if a port is no port
   */
  void requirePorts(Environment environment) {
    for (String name : PORTS) {
      String value = environment.getProperty(name, "").strip();
      // -1 opens none; a text is refused when it is bound.
      if (value.matches("-?\\d+")
          && (value.length() > 9
              || Integer.parseInt(value) > MAX_PORT
              || Integer.parseInt(value) < -1)) {
        var rule = new SettingSentences.Port(Integer.toString(MAX_PORT));
        throw UserError.badInput(said(new Setting(name).wrong(value, rule), environment));
      }
    }
  }

  private static @Nullable Origin origin(String name, Environment environment) {
    var asked = ConfigurationPropertyName.of(name);
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty property = source.getConfigurationProperty(asked);
      if (property != null) {
        return property.getOrigin();
      }
    }
    return null;
  }

  private Sentence located(Sentence said, @Nullable Origin origin) {
    return origin == null ? said : new SettingSentences.SetBy(said, where(origin));
  }

  private Sentence where(Origin origin) {
    if (origin instanceof PropertySourceOrigin set) {
      if (set.getPropertySource() instanceof CommandLinePropertySource<?>) {
        return definitions.contains(set.getPropertyName())
            ? new SettingSentences.DefinitionOfCall()
            : new SettingSentences.OptionOfCall();
      }
      if (set.getPropertySource() instanceof SystemEnvironmentPropertySource) {
        return new SettingSentences.VariableNamed(set.getPropertyName());
      }
    }
    return Sentence.verbatim(origin.toString());
  }
}
