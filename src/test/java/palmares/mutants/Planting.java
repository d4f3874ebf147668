package palmares.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.Base16;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import palmares.platform.redis.LuaScript;

/** What the process runs in place of a statement or a script, and what it has run so far. */
final class Planting {
  static final Planting INSTANCE = new Planting();

  private final Set<String> statements = ConcurrentHashMap.newKeySet();
  private final Set<String> scripts = ConcurrentHashMap.newKeySet();

  private volatile @Nullable Function<String, Optional<String>> change;
  private volatile boolean ofScripts;
  private volatile boolean wasReached;

  private Planting() {}

  /** Forgets what was run. */
  void forget() {
    statements.clear();
    scripts.clear();
  }

  /** Changes nothing any more. */
  void reset() {
    change = null;
    wasReached = false;
  }

  /** Changes each statement, or each script, that has the mutant's line, until {@link #reset}. */
  void plant(Mutant mutant) {
    reset();
    ofScripts = mutant.isLua();
    if (mutant.isLua()) {
      String before = String.join("\n", Mutant.lines(mutant.file())) + "\n";
      change =
          text ->
              text.contains(before)
                  ? Optional.of(text.replace(before, mutant.text()))
                  : Optional.empty();
    } else {
      change = StatementChange.of(mutant)::changed;
    }
  }

  /** Whether a statement or script was changed. */
  boolean wasReached() {
    return wasReached;
  }

  Set<String> statements() {
    return Set.copyOf(statements);
  }

  Set<String> scripts() {
    return Set.copyOf(scripts);
  }

  String statement(String sql) {
    statements.add(sql);
    return ofScripts ? sql : changed(sql).orElse(sql);
  }

  LuaScript script(LuaScript script) {
    String text = new String(script.text(), UTF_8);
    scripts.add(text);
    return ofScripts
        ? changed(text)
            .map(
                other -> new LuaScript(other.getBytes(UTF_8), Base16.digest(other.getBytes(UTF_8))))
            .orElse(script)
        : script;
  }

  private Optional<String> changed(String text) {
    Function<String, Optional<String>> present = change;
    Optional<String> other = present == null ? Optional.empty() : present.apply(text);
    wasReached |= other.isPresent();
    return other;
  }
}
