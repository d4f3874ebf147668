package palmares.settlement.outbox;

import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configures the e-mail target. The mail server is that of {@code spring.mail}.
 *
 * @param to who gets the mails; empty for no mails
 * @param from the sender
 * @param facts the types of facts that are mailed; {@code *} for all but the transfers
 * @param subjectPrefix the beginning of each subject
 */
@ConfigurationProperties("palmares.outbox.mail")
record MailSettings(
    @DefaultValue List<String> to,
    @Nullable String from,
    @DefaultValue({
          "digest",
          "period.failed",
          "period.held",
          "period.overdue",
          "verification.failed"
        })
        List<String> facts,
    @DefaultValue("[palmares]") String subjectPrefix) {
  private static final String PREFIX = "palmares.outbox.mail.";

  MailSettings {
    if (!to.isEmpty()) {
      to.forEach(address -> requireAddress("to", address));
      if (from == null) {
        throw wrong("from is missing: name the sender of the mails, such as palmares@example.com");
      }
      requireAddress("from", from);
      if (facts.contains(Subscription.TRANSFERS)) {
        throw wrong(
            "facts has award.*, and a mail for each payment is too much: use the webhook or the"
                + " stream");
      }
      Subscription.of(PREFIX + "facts", facts);
    }
  }

  Subscription subscription() {
    Subscription wanted = Subscription.of(PREFIX + "facts", facts);
    return new Subscription(
        wanted.types().stream().filter(type -> !type.equals(Subscription.TRANSFERS)).toList());
  }

  private static void requireAddress(String property, String address) {
    try {
      new InternetAddress(address, true).validate();
    } catch (AddressException e) {
      throw new IllegalArgumentException(
          PREFIX + "%s has '%s', which is no mail address".formatted(property, address), e);
    }
  }

  static IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(PREFIX + what);
  }
}
