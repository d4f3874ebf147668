package palmares.settlement.verification;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names the tables that outcomes share, where a statement is about such outcomes alone: then it
 * looks for no partition, locks none, and a plan that is kept for others is as good.
 */
final class SharedTables {
  private static final Pattern PARTITIONED =
      Pattern.compile("\\b(from|join) (line|payment)\\b(?: \\2\\b)?");

  private static final List<String> OUTCOMES = List.of("closings", "outcomes", "formers");

  private static final Map<String, String> SHARED = new ConcurrentHashMap<>();

  private SharedTables() {}

  /** The statement, about the outcomes among its parameters. */
  static String of(String sql, Map<String, ?> parameters) {
    return parameters.get("closings") instanceof Integer[]
            && OUTCOMES.stream().noneMatch(name -> anyApart(parameters.get(name)))
        ? SHARED.computeIfAbsent(sql, SharedTables::shared)
        : sql;
  }

  private static boolean anyApart(@Nullable Object outcomes) {
    return outcomes instanceof Integer[] numbers
        && Stream.of(numbers).anyMatch(outcome -> outcome > 0);
  }

  private static String shared(String sql) {
    return PARTITIONED.matcher(sql).replaceAll("$1 $2_shared as $2");
  }
}
