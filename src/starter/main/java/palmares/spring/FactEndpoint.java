package palmares.spring;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import palmares.client.Confirmation;
import palmares.client.Fact;
import palmares.client.Webhook;

/** Takes the facts that Palmares delivers. Any answer but 2xx makes Palmares deliver them again. */
@RestController
final class FactEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(FactEndpoint.class);

  private final Webhook webhook;
  private final FactInbox inbox;
  private final int maxBytes;

  FactEndpoint(Webhook webhook, FactInbox inbox, int maxBytes) {
    this.webhook = webhook;
    this.inbox = inbox;
    this.maxBytes = maxBytes;
  }

  @PostMapping("${palmares.client.webhook.path:/palmares/facts}")
  ResponseEntity<?> take(
      @RequestHeader(name = Webhook.ID, required = false) @Nullable String id,
      @RequestHeader(name = Webhook.TIMESTAMP, required = false) @Nullable String timestamp,
      @RequestHeader(name = Webhook.SIGNATURE, required = false) @Nullable String signature,
      InputStream body)
      throws IOException {
    byte[] bytes = body.readNBytes(maxBytes + 1);
    if (bytes.length > maxBytes) {
      return refused(
          HttpStatus.CONTENT_TOO_LARGE,
          "a delivery is longer than palmares.client.webhook.max-size, %s bytes"
              .formatted(maxBytes));
    }
    List<Fact> facts;
    try {
      facts = webhook.read(id, timestamp, signature, bytes);
    } catch (Webhook.NotGenuine e) {
      LOG.warn("a delivery of facts was refused: {}", e.getMessage());
      return refused(HttpStatus.UNAUTHORIZED, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      return refused(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
    var confirmations = new ArrayList<Confirmation>();
    for (Fact fact : facts) {
      inbox.handle(fact).ifPresent(confirmations::add);
    }
    return confirmations.isEmpty()
        ? ResponseEntity.noContent().build()
        : ResponseEntity.ok()
            .contentType(MediaType.APPLICATION_JSON)
            .body(Confirmation.answer(confirmations));
  }

  private static ResponseEntity<ProblemDetail> refused(HttpStatus status, String detail) {
    return ResponseEntity.of(ProblemDetail.forStatusAndDetail(status, detail)).build();
  }
}
