package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.mail.MailException;
import org.springframework.mail.MailSendException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;
import org.springframework.mail.javamail.MimeMessageHelper;
import palmares.platform.text.Sentence;
import palmares.platform.text.Setting;
import palmares.platform.text.SettingSentences;
import palmares.platform.text.Texts;
import palmares.platform.threads.Outages;
import palmares.rules.board.Sha256;
import palmares.settlement.outbox.DeliveryTarget.DeliveryFailed;

/** Sends a plain text mail for each fact. */
final class MailTarget implements DeliveryTarget {
  static final String NAME = "mail";

  private static final Logger LOG = LoggerFactory.getLogger(MailTarget.class);

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
    if (sender instanceof JavaMailSenderImpl smtp) {
      sendDespiteRejectedRecipients(smtp);
    }
  }

  /** One recipient that the server rejects does not keep the mail from the others. */
  private static void sendDespiteRejectedRecipients(JavaMailSenderImpl smtp) {
    String protocol = Objects.requireNonNullElse(smtp.getProtocol(), "smtp");
    smtp.getSession().getProperties().put("mail." + protocol + ".sendpartial", "true");
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
  public Answer send(FactBatch batch) {
    for (Fact fact : batch.facts()) {
      if (isMailed(fact)) {
        send(fact);
      }
    }
    return Answer.of(null);
  }

  /** Of a period that keeps failing, the failures 1, 2, 4, 8 … are mailed. */
  private static boolean isMailed(Fact fact) {
    return !(fact.data().get("failures") instanceof Number failures)
        || Long.bitCount(failures.longValue()) == 1;
  }

  private void send(Fact fact) {
    try {
      MimeMessage message = sender.createMimeMessage();
      var mail = new MimeMessageHelper(message, UTF_8.name());
      mail.setFrom(from);
      mail.setTo(settings.to().toArray(String[]::new));
      var text = new FactText(Texts.in(settings.language()));
      mail.setSubject((settings.subjectPrefix() + " " + text.subject(fact)).strip());
      mail.setSentDate(Date.from(Instant.parse(fact.time())));
      mail.setText(text.body(fact));
      message.setHeader("Message-ID", messageId(fact));
      message.setHeader("Auto-Submitted", "auto-generated");
      sender.send(message);
    } catch (MessagingException | MailException e) {
      SendFailedException partial = partial(e);
      if (partial == null) {
        throw DeliveryFailed.temporary(Sentence.verbatim(reason(e)));
      }
      LOG.warn(
          "the mail about {} was not taken for {}, and is not sent to them again: {}",
          fact.id(),
          Stream.of(partial.getInvalidAddresses(), partial.getValidUnsentAddresses())
              .filter(Objects::nonNull)
              .flatMap(Stream::of)
              .map(Address::toString)
              .collect(Collectors.joining(", ")),
          answers(partial));
    }
  }

  /**
   * Returns the failure of a mail that the server has taken for some of the recipients; else null.
   * Sending it again would send it to these twice.
   */
  private static @Nullable SendFailedException partial(Exception failure) {
    return failure instanceof MailSendException send
            && send.getMessageExceptions().length == 1
            && send.getMessageExceptions()[0] instanceof SendFailedException partial
            && partial.getValidSentAddresses() != null
            && partial.getValidSentAddresses().length > 0
        ? partial
        : null;
  }

  /** The answers of the server for the recipients, of which each exception has one. */
  private static String answers(SendFailedException partial) {
    var answers = new StringJoiner("; ");
    Exception next = partial.getNextException();
    while (next != null) {
      answers.add(String.valueOf(next.getMessage()).strip());
      next = next instanceof MessagingException more ? more.getNextException() : null;
    }
    return answers.toString();
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

  /**
   * Configures the e-mail target. The mail server is that of {@code spring.mail}.
   *
   * @param to who gets the mails; empty for no mails
   * @param from the sender
   * @param facts the types of facts that are mailed; {@code *} for all but the transfers and the
   *     ranks
   * @param subjectPrefix the beginning of each subject
   * @param language the language of the mails, {@code en} or {@code zh}
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
      @DefaultValue("[palmares]") String subjectPrefix,
      @DefaultValue("en") Locale language) {
    private static final Setting MAIL = new Setting("palmares.outbox.mail");
    private static final Setting FACTS = MAIL.part("facts");
    private static final List<String> LANGUAGES = List.of("en", "zh");

    MailSettings {
      if (!LANGUAGES.contains(language.toString())) {
        throw MAIL.part("language").wrong(language, new SettingSentences.OneOf(LANGUAGES));
      }
      if (!to.isEmpty()) {
        to.forEach(address -> requireAddress("to", address));
        if (from == null) {
          throw MAIL.part("from").missing(new TargetSettingSentences.Sender());
        }
        requireAddress("from", from);
        if (facts.contains(Subscription.TRANSFERS)) {
          throw FACTS.wrong(
              String.join(",", facts),
              new TargetSettingSentences.MailsNoTransfers(Subscription.TRANSFERS));
        }
        Subscription.of(FACTS, facts);
      }
    }

    Subscription subscription() {
      Subscription wanted = Subscription.of(FACTS, facts);
      return new Subscription(
          wanted.types().stream()
              .filter(type -> !type.equals(Subscription.TRANSFERS))
              .filter(type -> facts.contains(type) || !type.startsWith(Subscription.RANKS))
              .toList());
    }

    private static void requireAddress(String property, String address) {
      try {
        new InternetAddress(address, true).validate();
      } catch (AddressException e) {
        throw MAIL.part(property).wrong(address, new TargetSettingSentences.MailAddress());
      }
    }
  }
}
