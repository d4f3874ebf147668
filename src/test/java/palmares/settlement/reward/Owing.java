package palmares.settlement.reward;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes balances by two rules: the house has paid what the revision in force awards; and a
 * member who keeps what it was overpaid holds the most that any revision awarded it, and somebody
 * bears the rest. Knows no transfers.
 */
final class Owing {
  private final Map<List<Object>, Long> balances =
      new TreeMap<>((a, b) -> ("" + a).compareTo("" + b));
  private final Map<List<Object>, Long> held = new HashMap<>();
  private final Map<List<Object>, Long> awarded = new HashMap<>();

  /** A prize in one currency, by one rule. */
  record Prize(String rule, String currency, long credits) {}

  /** A revision is paid: these are all its awards, by member and rule. */
  void posted(String board, Object period, String owed, Map<List<String>, Prize> awards) {
    Map<List<Object>, Long> now = new HashMap<>();
    awards.forEach(
        (key, prize) ->
            now.put(List.of(period, key.get(0), key.get(1), prize.currency()), prize.credits()));
    for (List<Object> key : keys(period, now)) {
      move(board, owed, key, now.getOrDefault(key, 0L));
    }
  }

  private List<List<Object>> keys(Object period, Map<List<Object>, Long> now) {
    var all = new HashSet<>(now.keySet());
    awarded.keySet().stream().filter(key -> key.get(0).equals(period)).forEach(all::add);
    return List.copyOf(all);
  }

  private void move(String board, String owed, List<Object> key, long award) {
    Object member = key.get(1);
    Object currency = key.get(3);
    long before = awarded.getOrDefault(key, 0L);
    long heldBefore = held.getOrDefault(key, 0L);
    long heldNow = owed.equals("take") ? award : Math.max(heldBefore, award);
    add(List.of("house", "rewards:" + board, currency), before - award);
    add(List.of("member", member, currency), heldNow - heldBefore);
    long borne = (heldNow - award) - (heldBefore - before);
    switch (owed) {
      case "debt" -> add(List.of("debt", member, currency), -borne);
      case "write-off" -> add(List.of("house", "write-offs:" + board, currency), -borne);
      default -> add(List.of("nobody"), borne);
    }
    awarded.put(key, award);
    held.put(key, heldNow);
  }

  private void add(List<Object> account, long amount) {
    balances.merge(account, amount, Long::sum);
  }

  /** What each account holds that holds anything. */
  Map<String, Long> balances() {
    var all = new TreeMap<String, Long>();
    balances.forEach(
        (account, balance) -> {
          if (balance != 0) {
            all.put("" + account, balance);
          }
        });
    return all;
  }
}
