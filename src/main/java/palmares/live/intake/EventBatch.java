package palmares.live.intake;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import palmares.live.board.Event;
import tools.jackson.databind.JsonNode;

/** JSON values that should be events, in order. An invalid one does not affect the others. */
public final class EventBatch {
  private final List<Item> items = new ArrayList<>();

  /** An event, or the refusal of a value that is none; one of the two is null. */
  private record Item(@Nullable Event event, @Nullable EventOutcome refused) {}

  public void add(JsonNode value) {
    try {
      items.add(new Item(EventReader.read(value), null));
    } catch (EventRefusal refusal) {
      items.add(new Item(null, EventOutcome.refused(EventReader.idOf(value), refusal)));
    }
  }

  /**
   * Adds a line that should be a JSON value.
   *
   * @param number the number of the line in its body or file, for messages
   */
  public void addLine(byte[] line, long number) {
    JsonNode value;
    try {
      value = StrictJson.value(line, number);
    } catch (EventRefusal refusal) {
      items.add(new Item(null, EventOutcome.refused(null, refusal)));
      return;
    }
    add(value);
  }

  public int size() {
    return items.size();
  }

  /** Sends the events to the intake, and returns one outcome for every value, in order. */
  public List<EventOutcome> sendTo(Intake intake, EventOrigin origin) {
    var taken =
        intake.take(items.stream().map(Item::event).filter(Objects::nonNull).toList(), origin);
    var refused = items.stream().map(Item::refused).filter(Objects::nonNull).toList();
    intake.count(refused);
    var next = taken.iterator();
    return items.stream().map(item -> item.event() == null ? item.refused() : next.next()).toList();
  }
}
