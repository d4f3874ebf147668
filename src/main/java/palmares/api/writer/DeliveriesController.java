package palmares.api.writer;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.Operation;
import palmares.api.http.RequestBody;
import palmares.api.roles.Caller;
import palmares.api.roles.Requires;
import palmares.api.roles.Role;
import palmares.live.intake.StrictJson;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.text.Choice;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.settlement.wallet.AwardKey;
import palmares.settlement.wallet.Receipt;
import palmares.settlement.wallet.Receipt.Result;
import palmares.settlement.wallet.Receipt.Source;
import palmares.settlement.wallet.Receipts;
import palmares.settlement.wallet.Receipts.Recorded;
import tools.jackson.databind.JsonNode;

/** Takes what a wallet says became of an award, after it has answered the delivery. */
@RestController
class DeliveriesController {
  /** Why what a wallet says of an award is refused. */
  interface ConfirmationSentences {
    record OtherBoard(String award) implements Sentence {}

    record UnknownField() implements Sentence {}

    record NotAnAmount() implements Sentence {}

    record NotAText() implements Sentence {}

    record NoOutcome() implements Sentence {}
  }

  private static final int MAX_BODY_BYTES = 64 << 10;
  private static final Set<String> FIELDS = Set.of("outcome", "amount", "reason");

  private final Receipts receipts;
  private final TransactionTemplate transaction;

  DeliveriesController(Receipts receipts, TransactionTemplate transaction) {
    this.receipts = receipts;
    this.transaction = transaction;
  }

  /**
   * What became of an award.
   *
   * @param award as it was named
   * @param isNew false if the wallet has said so before
   */
  record OutcomeView(String award, String outcome, boolean isNew) {}

  @Operation("confirmDelivery")
  @Requires(value = Role.WALLET, checksBoards = true)
  @PostMapping(
      value = "/api/v1/deliveries/{award}/outcome",
      consumes = MediaType.APPLICATION_JSON_VALUE)
  OutcomeView confirm(@PathVariable String award, InputStream body) throws IOException {
    Caller caller = Caller.get();
    requireBoard(caller, award);
    Receipt receipt = receipt(award, StrictJson.value(RequestBody.readAll(MAX_BODY_BYTES, body)));
    Recorded recorded =
        transaction
            .execute(status -> receipts.record(List.of(receipt), Source.CALL, caller.name()))
            .get(0);
    if (recorded.refusal() != null) {
      throw recorded.refusal();
    }
    return new OutcomeView(award, receipt.result().word(), recorded.isNew());
  }

  private static void requireBoard(Caller caller, String award) {
    boolean may =
        caller.boards().isEmpty()
            || AwardKey.parse(award)
                .flatMap(key -> BoardId.parse(key.board()))
                .filter(caller::mayUse)
                .isPresent();
    if (!may) {
      throw new Refusal(Problem.FORBIDDEN, new ConfirmationSentences.OtherBoard(award));
    }
  }

  private static Receipt receipt(String award, JsonNode body) {
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        throw new Refusal(Problem.UNKNOWN_FIELD, new ConfirmationSentences.UnknownField());
      }
    }
    JsonNode amount = body.path("amount");
    if (!isAbsent(amount) && !(amount.isIntegralNumber() && amount.canConvertToLong())) {
      throw invalid("amount", new ConfirmationSentences.NotAnAmount());
    }
    JsonNode reason = body.path("reason");
    if (!isAbsent(reason) && !reason.isString()) {
      throw invalid("reason", new ConfirmationSentences.NotAText());
    }
    Result result =
        Choice.find(Result.values(), body.path("outcome").asString(""))
            .orElseThrow(() -> invalid("outcome", new ConfirmationSentences.NoOutcome()));
    @Nullable Long credited = isAbsent(amount) ? null : (Long) amount.asLong();
    return new Receipt(award, result, credited, isAbsent(reason) ? null : reason.asString());
  }

  private static boolean isAbsent(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  private static Refusal invalid(String field, Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, said).at(field);
  }
}
