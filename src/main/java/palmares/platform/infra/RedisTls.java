package palmares.platform.infra;

import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.Set;
import palmares.platform.embedded.ServersUnavailable;
import palmares.platform.redis.RedisUnavailable;
import palmares.platform.text.Sentence;
import palmares.platform.threads.Outages;

/** Explains a start that fails because one side uses TLS, or does not trust the other one. */
final class RedisTls {
  private static final int MAX_CAUSES = 20;

  /** What Java and Lettuce say of a connection that was closed before its handshake. */
  private static final Set<String> CLOSED =
      Set.of("Connection reset", "RedisHandshakeHandler not registered");

  private RedisTls() {}

  /** Empty if the failure has nothing to do with TLS. */
  static Optional<ServersUnavailable> explain(String redis, RedisUnavailable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      // Redis waits for the end of what it takes for a line.
      if (cause instanceof SslHandshakeTimeoutException || cause instanceof NotSslRecordException) {
        return refused(
            redis, new StoreSentences.UsesNoTls(), new StoreSentences.RemoveTls(), failure);
      }
      if (cause instanceof CertificateException) {
        Sentence why = new StoreSentences.NotTrusted(Outages.reason(cause));
        return refused(redis, why, new StoreSentences.TrustIt(), failure);
      }
      if (CLOSED.contains(String.valueOf(cause.getMessage()))) {
        return refused(redis, new StoreSentences.HangsUp(), new StoreSentences.UseTls(), failure);
      }
    }
    return Optional.empty();
  }

  private static Optional<ServersUnavailable> refused(
      String redis, Sentence why, Sentence remedy, RedisUnavailable failure) {
    return Optional.of(
        new ServersUnavailable(new StoreSentences.Unusable(redis, why), remedy, failure));
  }
}
