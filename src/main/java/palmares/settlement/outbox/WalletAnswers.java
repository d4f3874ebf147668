package palmares.settlement.outbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.settlement.outbox.DeliveryTarget.Answer;
import palmares.settlement.wallet.Receipt;
import palmares.settlement.wallet.Receipt.Result;
import palmares.settlement.wallet.WalletSentences;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what a wallet answers to a batch: {@code outcomes}, each with the {@code id} of an award,
 * its {@code outcome}, and the {@code amount} or the {@code reason}. What cannot be read is
 * reported, and the rest is taken: the wallet has the batch all the same.
 */
final class WalletAnswers {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private WalletAnswers() {}

  /**
   * Reads an answer.
   *
   * @param body at most one byte more than may be read
   */
  static Answer read(int status, byte[] body, int maxBytes) {
    if (body.length > maxBytes) {
      return new Answer(status, List.of(), new WalletSentences.LongAnswer(maxBytes));
    }
    JsonNode outcomes;
    try {
      outcomes = JSON.readTree(body).path("outcomes");
    } catch (JacksonException e) {
      return unreadable(status, List.of(), Sentence.verbatim(cut(e.getOriginalMessage())));
    }
    if (!outcomes.isArray()) {
      return unreadable(status, List.of(), new WalletSentences.NoOutcomes());
    }
    var receipts = new ArrayList<Receipt>();
    Sentence fault = null;
    for (JsonNode each : outcomes) {
      Optional<Receipt> receipt = receipt(each);
      receipt.ifPresent(receipts::add);
      if (receipt.isEmpty() && fault == null) {
        fault = new WalletSentences.UnreadableOutcome(cut(each.toString()));
      }
    }
    return fault == null ? new Answer(status, receipts, null) : unreadable(status, receipts, fault);
  }

  private static Answer unreadable(int status, List<Receipt> receipts, Sentence fault) {
    return new Answer(status, receipts, new WalletSentences.UnreadableAnswer(fault));
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(text.length(), 200));
  }

  private static Optional<Receipt> receipt(JsonNode node) {
    JsonNode amount = node.path("amount");
    if (!node.path("id").isString()
        || !amount.isMissingNode() && !(amount.isIntegralNumber() && amount.canConvertToLong())) {
      return Optional.empty();
    }
    return Choice.find(Result.values(), node.path("outcome").asString(""))
        .map(
            result ->
                new Receipt(
                    node.path("id").asString(),
                    result,
                    amount.isMissingNode() ? null : (Long) amount.asLong(),
                    node.path("reason").isString() ? node.path("reason").asString() : null));
  }
}
