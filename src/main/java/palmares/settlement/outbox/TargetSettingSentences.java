package palmares.settlement.outbox;

import java.util.List;
import palmares.platform.text.Sentence;

/** Says what the settings of a target must be. */
interface TargetSettingSentences {
  record HttpsUrl() implements Sentence {}

  record Encrypted() implements Sentence {}

  record AllowedHost(String host, String setting, List<String> allowed) implements Sentence {}

  record NoAllowedHost(String host, String setting) implements Sentence {}

  record SecretMissing(String command) implements Sentence {}

  record Secret(String prefix, long least, long most, String command) implements Sentence {}

  record Token() implements Sentence {}

  record NeedsTransfers(String fact) implements Sentence {}

  record NeedsWallet() implements Sentence {}

  record OneWallet(List<String> settings) implements Sentence {}

  record WebhookName(List<String> others) implements Sentence {}

  record UrlMissing() implements Sentence {}

  record KnownFacts(List<String> facts) implements Sentence {}

  record NeedsRevisions(String fact, List<String> facts) implements Sentence {}

  record MailsNoTransfers(String fact) implements Sentence {}

  record Sender() implements Sentence {}

  record MailServer(String mails) implements Sentence {}

  record MailAddress() implements Sentence {}

  record StreamKey() implements Sentence {}
}
