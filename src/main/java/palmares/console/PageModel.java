package palmares.console;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.MessageSource;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.servlet.support.RequestContextUtils;
import palmares.api.http.RequestPath;
import palmares.api.identity.Sessions;
import palmares.api.roles.Caller;
import palmares.api.roles.Role;

/** Adds what every page needs to its model. */
@EnableConfigurationProperties(Help.class)
@ControllerAdvice(annotations = Console.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class PageModel {
  private final Assets assets;
  private final MessageSource messages;
  private final InboxCount inbox;
  private final Clock clock;
  private final Help help;

  PageModel(Assets assets, MessageSource messages, InboxCount inbox, Clock clock, Help help) {
    this.assets = assets;
    this.messages = messages;
    this.inbox = inbox;
    this.clock = clock;
    this.help = help;
  }

  @ModelAttribute
  void add(Model model, HttpServletRequest request) {
    addTo(model.asMap(), request);
  }

  /** Adds the same for a page without a controller. */
  void addTo(Map<String, @Nullable Object> model, HttpServletRequest request) {
    Locale locale = RequestContextUtils.getLocale(request);
    Caller caller = Caller.find().orElse(null);
    model.put("assets", assets.path());
    model.put("help", help);
    model.put("path", RequestPath.of(request));
    model.put("query", request.getQueryString());
    model.put("now", clock.instant());
    show(model, new Show(locale, clock.instant()));
    model.put("csrf", Sessions.csrfToken(request));
    model.put("inboxCount", inbox.known());
    // Who must change their password first may read nothing, this number neither.
    boolean mustChange = caller != null && caller.mustChangePassword();
    boolean mayCount = caller != null && !mustChange;
    model.put("mustChangePassword", mustChange);
    model.put("isInboxCountOld", mayCount && inbox.isOld());
    model.put("caller", caller == null ? null : caller.name());
    for (Role role : Role.values()) {
      model.put("is" + Show.capitalized(role.word()), caller != null && caller.has(role));
    }
  }

  private void show(Map<String, @Nullable Object> model, Show show) {
    model.put("show", show);
    model.put("words", new Translations(messages, show));
  }

  /** Shows all times of a page in a zone, which is named below them. */
  void useNamedZone(ZoneId zone, Model model) {
    useZone(zone, model);
    model.addAttribute("namesZone", true);
  }

  /** Shows all times of a page in the zone of its board, which the page names. */
  void useZone(ZoneId zone, Model model) {
    show(model.asMap(), Show.of(model).in(zone));
  }
}
