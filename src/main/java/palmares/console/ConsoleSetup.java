package palmares.console;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
import org.springframework.web.servlet.i18n.CookieLocaleResolver;
import org.springframework.web.servlet.i18n.LocaleChangeInterceptor;

/** Sets up the languages of pages: that of the browser, until a person chooses another. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class ConsoleSetup implements WebMvcConfigurer {
  private static final List<Locale> LANGUAGES = List.of(Locale.ENGLISH, Locale.CHINESE);
  private static final Duration LANGUAGE_COOKIE_MAX_AGE = Duration.ofDays(365);

  @Bean
  LocaleResolver localeResolver() {
    var browser = new AcceptHeaderLocaleResolver();
    browser.setSupportedLocales(LANGUAGES);
    browser.setDefaultLocale(Locale.ENGLISH);
    var chosen = new CookieLocaleResolver("PALMARES-LANGUAGE");
    chosen.setCookieMaxAge(LANGUAGE_COOKIE_MAX_AGE);
    chosen.setCookieHttpOnly(true);
    chosen.setCookieSameSite("Lax");
    chosen.setRejectInvalidCookies(false);
    chosen.setDefaultLocaleFunction(browser::resolveLocale);
    return chosen;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    var language =
        new LocaleChangeInterceptor() {
          @Override
          protected Locale parseLocaleValue(String value) {
            return LANGUAGES.stream()
                .filter(known -> known.getLanguage().equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no language " + value));
          }
        };
    language.setParamName("lang");
    language.setIgnoreInvalidLocale(true);
    registry.addInterceptor(language).addPathPatterns(Console.PATH, Console.PATH + "/**");
  }
}
