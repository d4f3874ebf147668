package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import org.springframework.mail.MailException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;
import org.springframework.mail.javamail.MimeMessageHelper;
import palmares.platform.threads.Outages;
import palmares.rules.board.Sha256;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;

/** Sends a plain text mail for each fact. */
final class MailTarget implements DeliveryTarget {
  static final String NAME = "mail";

  private static final int MAX_FAILURE_CHARACTERS = 300;

  private final MailSettings settings;
  private final JavaMailSender sender;
  private final String from;

  /**
   * @param settings with a recipient
   */
  MailTarget(MailSettings settings, JavaMailSender sender) {
    this.settings = settings;
    this.sender = sender;
    this.from = Objects.requireNonNull(settings.from());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String address() {
    String server = sender instanceof JavaMailSenderImpl smtp ? " by " + smtp.getHost() : "";
    return String.join(", ", settings.to()) + server;
  }

  @Override
  public Subscription facts() {
    return settings.subscription();
  }

  /** One, so that a mail that the server has taken is not sent again because of the next one. */
  @Override
  public int maxBatch() {
    return 1;
  }

  @Override
  public void send(FactBatch batch) {
    for (Fact fact : batch.facts()) {
      if (isWorthAMail(fact)) {
        send(fact);
      }
    }
  }

  /** Of a period that keeps failing, the failures 1, 2, 4, 8 … are mailed. */
  private static boolean isWorthAMail(Fact fact) {
    return !(fact.data().get("failures") instanceof Number failures)
        || Long.bitCount(failures.longValue()) == 1;
  }

  private void send(Fact fact) {
    try {
      MimeMessage message = sender.createMimeMessage();
      var mail = new MimeMessageHelper(message, UTF_8.name());
      mail.setFrom(from);
      mail.setTo(settings.to().toArray(String[]::new));
      mail.setSubject((settings.subjectPrefix() + " " + FactText.subject(fact)).strip());
      mail.setSentDate(Date.from(Instant.parse(fact.time())));
      mail.setText(FactText.body(fact));
      message.setHeader("Message-ID", messageId(fact));
      message.setHeader("Auto-Submitted", "auto-generated");
      sender.send(message);
    } catch (MessagingException | MailException e) {
      throw DeliveryFailed.temporary(reason(e));
    }
  }

  /** The answer of the server, if there is one. */
  private static String reason(Exception failure) {
    boolean rejected =
        failure instanceof MailSendException send && send.getMessageExceptions().length > 0;
    String reason =
        Outages.reason(
            rejected ? ((MailSendException) failure).getMessageExceptions()[0] : failure);
    return reason.substring(0, Math.min(reason.length(), MAX_FAILURE_CHARACTERS));
  }

  /** The same for each delivery of a fact; another installation's facts have other times. */
  String messageId(Fact fact) {
    String hash = Sha256.of(fact.id() + " " + fact.time()).substring(0, 32);
    return "<%s@%s>".formatted(hash, from.replaceFirst(".*@", "").replaceFirst(">.*", ""));
  }
}
