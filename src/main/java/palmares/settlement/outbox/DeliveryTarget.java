package palmares.settlement.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Sentence;
import palmares.platform.text.Texts;
import palmares.settlement.wallet.Receipt;

/** Receives facts on behalf of another system. */
interface DeliveryTarget {
  /** The name that people and the database use. */
  String name();

  /** The target's address, without secrets. */
  String address();

  Subscription facts();

  /** Whether it says what became of each award; one target at most does. */
  default boolean confirms() {
    return false;
  }

  /** The most facts that it takes together. */
  default int maxBatch() {
    return Integer.MAX_VALUE;
  }

  /**
   * Sends a batch, and returns once the target has it.
   *
   * @throws DeliveryFailed if the target did not confirm the batch
   */
  Answer send(FactBatch batch);

  /**
   * What a target answered that has a batch.
   *
   * @param status the HTTP status; null if it speaks another protocol
   * @param receipts what became of awards, as far as it says so
   * @param fault why the rest of the answer cannot be read; null if all of it can
   */
  record Answer(@Nullable Integer status, List<Receipt> receipts, @Nullable Sentence fault) {
    public Answer {
      receipts = List.copyOf(receipts);
    }

    static Answer of(@Nullable Integer status) {
      return new Answer(status, List.of(), null);
    }
  }

  /** Signals that a target did not confirm a batch. */
  final class DeliveryFailed extends RuntimeException {
    private final transient Sentence said;
    private final boolean permanent;
    private final @Nullable Integer answer;

    private DeliveryFailed(Sentence said, boolean permanent, @Nullable Integer answer) {
      super(Texts.english(said));
      this.said = said;
      this.permanent = permanent;
      this.answer = answer;
    }

    static DeliveryFailed temporary(Sentence said) {
      return new DeliveryFailed(said, false, null);
    }

    /** The target refused the batch with an HTTP status. */
    static DeliveryFailed temporary(Sentence said, int answer) {
      return new DeliveryFailed(said, false, answer);
    }

    /** The target takes no more batches. */
    static DeliveryFailed permanent(Sentence said, int answer) {
      return new DeliveryFailed(said, true, answer);
    }

    Sentence said() {
      return said;
    }

    /** The HTTP status that was answered; null if there is none. */
    @Nullable Integer answer() {
      return answer;
    }

    boolean isPermanent() {
      return permanent;
    }
  }
}
