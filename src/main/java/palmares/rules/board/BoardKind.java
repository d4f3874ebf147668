package palmares.rules.board;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import palmares.rules.adoption.Adoption;

/**
 * Says where the points of a board's members come from. Code that must know all kinds calls {@link
 * #map} or {@link #run}, which have one parameter for each kind, so that it does not compile if a
 * kind is missing.
 */
public sealed interface BoardKind {
  /** Whether Palmares counts events, on a live board that it keeps itself, with a journal. */
  boolean countsEvents();

  /** Whether the lines of members say when they reached their points. */
  boolean storesTime();

  /** Whether it may be unknown which of two members with equal points was first. */
  boolean mayLoseOrder();

  /** Returns what the function for this kind of board returns. */
  <R extends @Nullable Object> R map(Supplier<R> counted, Function<Adoption, R> adopted);

  /** Does what is given for this kind of board. */
  void run(Runnable counted, Consumer<Adoption> adopted);

  /** Points are counted from events. */
  record Counted() implements BoardKind {
    @Override
    public boolean countsEvents() {
      return true;
    }

    @Override
    public boolean storesTime() {
      return true;
    }

    @Override
    public boolean mayLoseOrder() {
      return false;
    }

    @Override
    public <R extends @Nullable Object> R map(Supplier<R> counted, Function<Adoption, R> adopted) {
      return counted.get();
    }

    @Override
    public void run(Runnable counted, Consumer<Adoption> adopted) {
      counted.run();
    }
  }

  /**
   * Another program keeps the board in Redis.
   *
   * @param adoption how Palmares reads the keys of that program
   */
  record Adopted(Adoption adoption) implements BoardKind {
    @Override
    public boolean countsEvents() {
      return false;
    }

    @Override
    public boolean storesTime() {
      return adoption.encoding().storesTime();
    }

    @Override
    public boolean mayLoseOrder() {
      return true;
    }

    @Override
    public <R extends @Nullable Object> R map(Supplier<R> counted, Function<Adoption, R> adopted) {
      return adopted.apply(adoption);
    }

    @Override
    public void run(Runnable counted, Consumer<Adoption> adopted) {
      adopted.accept(adoption);
    }
  }
}
