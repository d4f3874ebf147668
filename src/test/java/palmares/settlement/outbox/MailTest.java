package palmares.settlement.outbox;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetupTest;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mail.javamail.JavaMailSenderImpl;
import org.springframework.transaction.support.TransactionTemplate;
import palmares.platform.redis.RedisClient;
import palmares.platform.text.Texts;
import palmares.platform.threads.Spans;
import palmares.settlement.closing.ClosingResult.Status;
import palmares.settlement.dailydigest.Digest;
import palmares.settlement.outbox.Deliveries.DeliveryStatus;
import palmares.settlement.outbox.DeliveryLoops.DeliveryLoop;
import palmares.settlement.outbox.MailTarget.MailSettings;
import palmares.testing.Contest;
import palmares.testing.World;
import palmares.testing.WorldTest;

/** Facts are mailed to people; a mail server in trouble delays nothing but mails. */
@WorldTest
@ExtendWith(OutputCaptureExtension.class)
class MailTest {
  @Autowired private World world;
  @Autowired private Facts facts;
  @Autowired private Deliveries deliveries;
  @Autowired private TransactionTemplate transaction;
  @Autowired private Clock clock;
  @Autowired private Digest digest;
  @Autowired private RedisClient redisClient;

  private final GreenMail server = new GreenMail(ServerSetupTest.SMTP.dynamicPort());
  private Delivery delivery;
  private MailTarget mail;

  @BeforeEach
  void aMailServer() {
    server.start();
    mail = mail(server.getSmtp().getPort(), Duration.ofSeconds(10));
    delivery = Outboxes.delivery(500, facts, deliveries, transaction, clock, Spans.none());
    delivery.register(mail);
  }

  @AfterEach
  void stop() {
    server.stop();
  }

  private static MailTarget mail(int port, Duration timeout) {
    return mail(port, timeout, Locale.ENGLISH);
  }

  private static MailTarget mail(int port, Duration timeout, Locale language) {
    var sender = new JavaMailSenderImpl();
    sender.setHost("127.0.0.1");
    sender.setPort(port);
    String millis = Long.toString(timeout.toMillis());
    sender.getJavaMailProperties().put("mail.smtp.connectiontimeout", millis);
    sender.getJavaMailProperties().put("mail.smtp.timeout", millis);
    var settings =
        new MailSettings(
            List.of("ops@example.com", "boss@example.com"),
            "Palmares <palmares@example.com>",
            List.of("digest", "period.failed", "period.held", "verification.failed"),
            "[prod]",
            language);
    return new MailTarget(settings, sender);
  }

  private void hold() {
    var day = world.open(world.board(Contest.rules().with("payout: { approval: required }")));
    world.take(Contest.facts());
    assertThat(world.close(day).outcome()).isEqualTo(Status.HELD);
  }

  private void drain() {
    while (delivery.deliverNext(mail)) {
      assertThat(server.getReceivedMessages()).hasSizeLessThan(100);
    }
  }

  @Test
  void aHeldPeriodAndTheDigestAreMailedInPlainEnglish() throws Exception {
    hold();
    digest.writeIfDue();
    drain();
    assertThat(server.getReceivedMessages()).as("two mails to two people").hasSize(4);
    MimeMessage held = received("held and needs");
    assertThat(held.getSubject())
        .matches("\\[prod\\] b\\d+ 2026-11-20 is held and needs a person's approval");
    assertThat(held.getContentType()).startsWith("text/plain");
    assertThat(held.getSentDate().toInstant()).isEqualTo(Instant.parse("2026-11-21T00:10:00Z"));
    assertThat((String) held.getContent())
        .contains("  - the board asks for approval")
        .contains("palmares approve b")
        .contains("fact period.held:b");
    MimeMessage report = received("digest");
    assertThat(report.getSubject()).isEqualTo("[prod] digest of 2026-11-20: 0 settled, 1 held");
    assertThat(((String) report.getContent()).replace("\r", ""))
        .containsPattern(
            """
            Held for a person

              board +\\| period +\\| state +\\| reasons
             [-+]+
              b\\d+ +\\| 2026-11-20 +\\| held +\\| the board asks for approval
            """);
  }

  @Test
  void mailsAreInTheLanguageOfTheirReaders() throws Exception {
    mail = mail(server.getSmtp().getPort(), Duration.ofSeconds(10), Locale.CHINESE);
    hold();
    digest.writeIfDue();
    drain();
    assertThat((String) received("须经人工审批").getContent())
        .contains("须经审批，获批之前不会发放", "  - 该榜单要求审批", "然后：palmares approve b");
    MimeMessage report = received("日报");
    assertThat(report.getSubject()).isEqualTo("[prod] 2026-11-20 日报：已结算 0 个、待审批 1 个");
    assertThat((String) report.getContent())
        .contains("待人工审批", "榜单", "该榜单要求审批", "此期间没有完成的夜间核验。")
        .doesNotContainPattern("[a-z]{3,} [a-z]{3,} [a-z]{3,}");
  }

  @Test
  void aMailThatIsSentAgainHasTheSameMessageId() throws Exception {
    hold();
    drain();
    deliveries.redeliver(null, World.START);
    drain();
    assertThat(server.getReceivedMessages())
        .as("twice to two people")
        .hasSize(4)
        .extracting(MimeMessage::getMessageID)
        .containsOnly(received("held").getMessageID())
        .allMatch(id -> id.matches("<[0-9a-f]{32}@example.com>"));
  }

  /** There may be many: they are mailed only if somebody names them. */
  @Test
  void factsAboutRanksAreMailedIfTheyAreNamed() {
    assertThat(wanted("*")).noneMatch(type -> type.startsWith("rank."));
    assertThat(wanted("*", "rank.passed")).contains("rank.passed").doesNotContain("rank.left");
  }

  private static List<String> wanted(String... types) {
    return new MailSettings(
            List.of("ops@example.com"), "a@example.com", List.of(types), "", Locale.ENGLISH)
        .subscription()
        .types();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rank.entered | top       | ann entered the top 10 of likes 2026-11-20 | 前 10 名",
        "rank.entered | threshold | ann reached 10 points in likes 2026-11-20  | 达到 10 分",
        "rank.left    | top       | ann left the top 10 of likes 2026-11-20    | 离开",
        "rank.left    | threshold | ann no longer holds 10 points in likes     | 不再拥有 10 分",
        "rank.passed  | rank      | bob passed ann in likes 2026-11-20         | 超过了 ann",
      })
  void factsAboutRanksAreSaidInBothLanguages(
      String type, String field, String english, String chinese) {
    var fact =
        new Fact(
            type + ":x",
            type,
            "2026-11-20T10:00:00Z",
            "likes",
            "2026-11-20",
            null,
            Map.of("member", "ann", field, 10, "by", "bob", "formerRank", 9));
    var text = new FactText(Texts.in(Locale.ENGLISH));
    assertThat(text.subject(fact)).startsWith(english);
    assertThat(text.body(fact))
        .contains("  %s: 10\n".formatted(field), "  rank before: 9\n", "fact " + type + ":x");
    var translated = new FactText(Texts.in(Locale.CHINESE));
    assertThat(translated.subject(fact)).contains(chinese);
    assertThat(translated.body(fact)).contains("此前名次");
  }

  private MimeMessage received(String subject) throws MessagingException {
    for (MimeMessage message : server.getReceivedMessages()) {
      if (message.getSubject().contains(subject)) {
        return message;
      }
    }
    throw new AssertionError("no mail about " + subject);
  }

  @Test
  void ofManyFailuresOfAPeriodFewAreMailed() {
    var day = world.open(world.board(Contest.rules()));
    for (int i = 0; i < 9; i++) {
      world.close(
          day,
          step -> {
            throw new IllegalStateException("the disk is full");
          });
    }
    drain();
    assertThat(server.getReceivedMessages()).as("1, 2, 4 and 8, to two people").hasSize(8);
  }

  @Test
  void aServerThatRefusesIsRetriedAndGetsAll() {
    hold();
    int port = server.getSmtp().getPort();
    server.stop();
    assertThat(delivery.deliverNext(mail)).isFalse();
    DeliveryStatus status = deliveries.all().get(0);
    assertThat(status.failures()).isOne();
    assertThat(Texts.english(Objects.requireNonNull(status.failure())))
        .containsIgnoringCase("refused");
    assertThat(status.retryAt()).isEqualTo(world.now().plusSeconds(5));
    assertThat(status.waiting()).isOne();

    world.pass(Duration.ofSeconds(5));
    var again = new GreenMail(ServerSetupTest.SMTP.port(port));
    again.start();
    try {
      assertThat(delivery.deliverNext(mail)).isTrue();
      assertThat(again.getReceivedMessages()).hasSize(2);
    } finally {
      again.stop();
    }
  }

  @Test
  void aServerThatRejectsForDaysParksTheTarget() throws Exception {
    hold();
    try (var rejecting = new FakeServer(Map.of("RCPT", "550 5.1.1 no such mailbox"))) {
      mail = mail(rejecting.port(), Duration.ofSeconds(10));
      assertThat(delivery.deliverNext(mail)).isFalse();
      assertThat(Texts.english(Objects.requireNonNull(deliveries.all().get(0).failure())))
          .contains("550 5.1.1 no such mailbox");
      world.pass(Duration.ofDays(3));
      assertThat(delivery.deliverNext(mail)).isFalse();
      assertThat(deliveries.all().get(0).parkedAt()).isEqualTo(world.now());
    }
    mail = mail(server.getSmtp().getPort(), Duration.ofSeconds(10));
    deliveries.retry("mail");
    drain();
    assertThat(server.getReceivedMessages()).hasSize(2);
  }

  @Test
  void aRecipientThatIsRejectedDoesNotKeepMailsFromTheOthers(CapturedOutput output)
      throws Exception {
    hold();
    String rejection = "550 5.1.1 no such mailbox";
    try (var server = new FakeServer(Map.of("RCPT TO:<boss@example.com>", rejection))) {
      mail = mail(server.port(), Duration.ofSeconds(10));
      assertThat(delivery.deliverNext(mail)).isTrue();
      assertThat(delivery.deliverNext(mail)).as("nobody gets it twice").isFalse();
      assertThat(server.mails()).isOne();
      assertThat(deliveries.all().get(0).failures()).isZero();
    }
    assertThat(output.getAll())
        .contains("was not taken for boss@example.com, and is not sent to them again")
        .contains(rejection);
  }

  @Test
  void afterAnHourOfRejectionsAllMailsArrive() throws Exception {
    hold();
    int attempts = 0;
    try (var rejecting = new FakeServer(Map.of("MAIL", "451 4.3.0 try again later"))) {
      mail = mail(rejecting.port(), Duration.ofSeconds(10));
      var loop = new DeliveryLoop(mail, delivery);
      Instant begin = world.now();
      for (int second = 0; second <= 3600; second += 5) {
        world.now(begin.plusSeconds(second));
        if (deliveries.all().get(0).retryAt() == null
            || !world.now().isBefore(deliveries.all().get(0).retryAt())) {
          loop.round(() -> true);
          attempts++;
        }
      }
      assertThat(deliveries.all().get(0).failingSince()).isEqualTo(begin);
      assertThat(deliveries.all().get(0).waiting()).isOne();
    }
    assertThat(attempts).as("5 s, 10 s, 20 s … apart").isEqualTo(10);
    hold();
    mail = mail(server.getSmtp().getPort(), Duration.ofSeconds(10));
    world.pass(Duration.ofHours(1));
    drain();
    assertThat(server.getReceivedMessages()).as("two mails to two people").hasSize(4);
  }

  @Test
  void aServerThatHangsTimesOutAndDelaysNoOther() throws Exception {
    var redis =
        new RedisStreamTarget(
            redisClient, new RedisStreamTarget.Settings("palmares:facts", List.of("*"), 1000));
    delivery.register(redis);
    hold();
    try (var hanging = new FakeServer(Map.of())) {
      mail = mail(hanging.port(), Duration.ofSeconds(20));
      var slow = CompletableFuture.supplyAsync(() -> delivery.deliverNext(mail));
      hanging.awaitConnection();
      assertThat(delivery.deliverNext(redis)).isTrue();
      assertThat(slow).isNotDone();
      hanging.hangUp();
      assertThat(slow.get(20, TimeUnit.SECONDS)).isFalse();
    }
    try (var hanging = new FakeServer(Map.of())) {
      mail = mail(hanging.port(), Duration.ofMillis(200));
      world.pass(Duration.ofMinutes(1));
      assertThat(delivery.deliverNext(mail)).isFalse();
      assertThat(deliveries.all())
          .filteredOn(status -> status.name().equals("mail"))
          .singleElement()
          .satisfies(status -> assertThat(status.failures()).isEqualTo(2))
          .satisfies(
              status ->
                  assertThat(Texts.english(Objects.requireNonNull(status.failure())))
                      .contains("timed out"));
    }
  }

  @Test
  void wrongSettingsAreNamed() {
    assertThatThrownBy(() -> settings("ops", "me@example.com", "digest"))
        .hasMessage("palmares.outbox.mail.to is 'ops', and must be a mail address");
    assertThatThrownBy(() -> new MailSettings(List.of(), null, List.of(), "", Locale.FRENCH))
        .hasMessage("palmares.outbox.mail.language is 'fr', and must be one of en, zh");
    assertThatThrownBy(() -> settings("ops@example.com", null, "digest"))
        .hasMessageStartingWith("palmares.outbox.mail.from is missing");
    assertThatThrownBy(() -> settings("ops@example.com", "me@example.com", "award.*"))
        .hasMessageStartingWith(
            "palmares.outbox.mail.facts is 'award.*', and must be without award.*");
  }

  private static MailSettings settings(String to, @Nullable String from, String facts) {
    return new MailSettings(List.of(to), from, List.of(facts), "", Locale.ENGLISH);
  }

  /**
   * A mail server that gives one answer to each command or line; without any it accepts connections
   * and keeps silent.
   */
  private static final class FakeServer implements AutoCloseable {
    private final ServerSocket listening;
    private final Map<String, String> answers;
    private final CountDownLatch connected = new CountDownLatch(1);
    private final AtomicInteger mails = new AtomicInteger();
    private volatile Socket last = new Socket();

    FakeServer(Map<String, String> answers) throws IOException {
      this.listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
      this.answers = answers;
      var thread = new Thread(this::serve, "fake mail server");
      thread.setDaemon(true);
      thread.start();
    }

    int port() {
      return listening.getLocalPort();
    }

    void awaitConnection() throws InterruptedException {
      assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private void serve() {
      try {
        while (true) {
          last = listening.accept();
          connected.countDown();
          if (!answers.isEmpty()) {
            converse(last);
          }
        }
      } catch (IOException closed) {
        // The test has ended.
      }
    }

    private void converse(Socket socket) throws IOException {
      try (socket) {
        var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        say(socket, "220 ready");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String answer = answers.get(line);
          String ofCommand =
              answers.getOrDefault(
                  line.split(" ")[0], line.equals("DATA") ? "354 end with a dot" : "250 ok");
          say(socket, answer == null ? ofCommand : answer);
          if (line.equals("DATA")) {
            readMail(lines);
            say(socket, "250 taken");
          }
        }
      }
    }

    private void readMail(BufferedReader lines) throws IOException {
      for (String line = lines.readLine(); !".".equals(line); line = lines.readLine()) {
        assertThat(line).isNotNull();
      }
      mails.incrementAndGet();
    }

    int mails() {
      return mails.get();
    }

    private static void say(Socket socket, String line) throws IOException {
      socket.getOutputStream().write((line + "\r\n").getBytes(US_ASCII));
    }

    void hangUp() throws IOException {
      listening.close();
      last.close();
    }

    @Override
    public void close() throws IOException {
      hangUp();
    }
  }
}
