package palmares.live.intake;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Values that should be events, in order; each is read by itself, and one bad one spoils no other.
 */
public final class EventBatch {
  private final List<Item> items = new ArrayList<>();

  /** An event, or why it is none. */
  private record Item(@Nullable Event event, @Nullable EventOutcome refused) {}

  /** Adds a value. */
  public void add(JsonNode value) {
    try {
      items.add(new Item(EventReader.event(value), null));
    } catch (Refusal refusal) {
      items.add(new Item(null, EventOutcome.refused(EventReader.idOf(value), refusal)));
    }
  }

  /** Adds a line that should be a JSON value. */
  public void addLine(byte[] line) {
    JsonNode value;
    try {
      value = StrictJson.value(line);
    } catch (Refusal refusal) {
      items.add(new Item(null, EventOutcome.refused(null, refusal)));
      return;
    }
    add(value);
  }

  public int size() {
    return items.size();
  }

  /** Lets the intake take the events, and answers for every value, in order. */
  public List<EventOutcome> takenBy(Intake intake, EventOrigin origin) {
    var events = new ArrayList<Event>(items.size());
    for (Item item : items) {
      if (item.event() != null) {
        events.add(item.event());
      }
    }
    var taken = intake.take(events, origin).iterator();
    var outcomes = new ArrayList<EventOutcome>(items.size());
    for (Item item : items) {
      outcomes.add(item.refused() == null ? taken.next() : item.refused());
    }
    return outcomes;
  }
}
