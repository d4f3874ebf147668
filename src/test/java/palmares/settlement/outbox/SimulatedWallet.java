package palmares.settlement.outbox;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import palmares.platform.text.Setting;
import palmares.settlement.wallet.Receipt;
import palmares.settlement.wallet.Receipt.Result;

/** A wallet that loses, delays, doubles, refuses and lies, and knows what it has done. */
final class SimulatedWallet implements DeliveryTarget {
  /** What it does with an award. */
  enum Behaviour {
    CREDIT,
    /** Credits it, and says nothing. */
    SILENT,
    /** Credits it, and says so only when it is asked for what it has delayed. */
    DELAY,
    /** Says nothing, and has nothing. */
    LOSE,
    /** Says that it has credited it, and has nothing. */
    LIE,
    DOUBLE,
    REFUSE,
    /** Credits one more than it says. */
    OTHER_AMOUNT,
    OTHER_CURRENCY
  }

  private final Map<String, Behaviour> behaviours = new TreeMap<>();
  private final Map<String, Fact> awards = new LinkedHashMap<>();
  private final List<String> list = new ArrayList<>();
  private final List<Receipt> delayed = new ArrayList<>();
  private final List<String> batches = new ArrayList<>();
  private final Random random;
  private @Nullable Behaviour always;
  private boolean returns = true;

  SimulatedWallet(long seed) {
    this.random = new Random(seed);
  }

  /** From now on it always does this. */
  void become(Behaviour behaviour) {
    always = behaviour;
  }

  /** From now on it says nothing of returns. */
  void becomeSilentOnReturns() {
    returns = false;
  }

  void becomeHonestOnReturns() {
    returns = true;
  }

  @Override
  public String name() {
    return "wallet";
  }

  @Override
  public String address() {
    return "simulated";
  }

  @Override
  public Subscription facts() {
    return Subscription.of(
        new Setting("test"), List.of("period.settled", "period.amended", "award.*"));
  }

  @Override
  public boolean confirms() {
    return true;
  }

  @Override
  public Answer send(FactBatch batch) {
    batches.add(batch.id());
    var receipts = new ArrayList<Receipt>();
    for (Fact fact : batch.facts()) {
      if (fact.type().equals("award.paid")) {
        take(fact, receipts);
      } else if (fact.type().equals("award.returned") && returns) {
        long amount = (long) requireNonNull(fact.data().get("amount"));
        receipts.add(new Receipt(fact.id(), Result.RETURNED, amount, null));
      }
    }
    return new Answer(200, receipts, null);
  }

  private void take(Fact fact, List<Receipt> receipts) {
    String id = (String) requireNonNull(fact.data().get("transfer"));
    boolean isRepeat = awards.put(id, fact) != null;
    Behaviour behaviour =
        always != null ? always : Behaviour.values()[random.nextInt(Behaviour.values().length)];
    if (isRepeat && always == null) {
      return;
    }
    behaviours.put(id, behaviour);
    long amount = (long) requireNonNull(fact.data().get("amount"));
    String currency = (String) requireNonNull(fact.data().get("currency"));
    switch (behaviour) {
      case CREDIT, SILENT, DELAY -> credit(id, amount, currency);
      case DOUBLE -> {
        credit(id, amount, currency);
        credit(id, amount, currency);
      }
      case OTHER_AMOUNT -> credit(id, amount + 1, currency);
      case OTHER_CURRENCY -> credit(id, amount, "gems");
      case LOSE, LIE, REFUSE -> {}
    }
    if (behaviour == Behaviour.REFUSE) {
      receipts.add(new Receipt(fact.id(), Result.REFUSED, null, "account closed"));
    } else if (behaviour == Behaviour.DELAY) {
      delayed.add(new Receipt(fact.id(), Result.CREDITED, amount, null));
    } else if (behaviour != Behaviour.SILENT && behaviour != Behaviour.LOSE) {
      receipts.add(new Receipt(fact.id(), Result.CREDITED, amount, null));
    }
  }

  void credit(String id, long amount, String currency) {
    list.removeIf(line -> always == Behaviour.CREDIT && line.startsWith(id + ","));
    list.add(id + "," + amount + "," + currency);
  }

  /** Credits what nobody was awarded. */
  void invent(String id) {
    list.add(id + ",7,credits");
  }

  /** What it says later, once. */
  List<Receipt> delayed() {
    List<Receipt> said = List.copyOf(delayed);
    delayed.clear();
    return said;
  }

  /** The list of its credits, as CSV. */
  String list() {
    return "id,amount,currency\n"
        + list.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  /** The ids of all batches, in their order. */
  List<String> batches() {
    return batches;
  }

  int lines() {
    return list.size();
  }

  /** The awards with which it did this. */
  List<String> awards(Behaviour... these) {
    return behaviours.entrySet().stream()
        .filter(each -> List.of(these).contains(each.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
