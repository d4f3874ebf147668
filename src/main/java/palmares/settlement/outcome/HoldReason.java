package palmares.settlement.outcome;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import palmares.platform.text.Said;
import palmares.platform.text.Sentence;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/**
 * A reason for which an outcome needs a person's approval. Reasons are equal if they say the same,
 * also once they were stored.
 */
@JsonDeserialize(using = HoldReason.Reader.class)
public sealed interface HoldReason extends Sentence {
  /** Whether the board's release time ends the hold, if no person decides before. */
  default boolean isReleasedByTime() {
    return false;
  }

  /** The board asks for one person. */
  record Approval() implements HoldReason {
    @Override
    public boolean isReleasedByTime() {
      return true;
    }
  }

  /** The board asks for two people. */
  record TwoPeople() implements HoldReason {
    @Override
    public boolean isReleasedByTime() {
      return true;
    }
  }

  /** The period costs more than its budget. */
  record PeriodBudget(BigDecimal amount, String currency, long budget) implements HoldReason {
    public PeriodBudget {
      amount = plain(amount);
    }
  }

  /**
   * The month's periods cost more than the budget of a month.
   *
   * @param others what the month's other periods cost
   */
  record MonthBudget(BigDecimal amount, String currency, BigDecimal others, long budget)
      implements HoldReason {
    public MonthBudget {
      amount = plain(amount);
      others = plain(others);
    }
  }

  /** The amount differs from the usual one by a factor. */
  record Unusual(BigDecimal amount, String currency, BigDecimal usual, long factor)
      implements HoldReason {
    public Unusual {
      amount = plain(amount);
      usual = plain(usual);
    }

    @Override
    public boolean isReleasedByTime() {
      return true;
    }
  }

  /** A rule leaves to a person what tied members get. */
  record Tie(long members, long rank, long amount, String currency, String rule)
      implements HoldReason {}

  /** A rule leaves to a person what a member behind a tie gets. */
  record TieBefore(String rule, String member, long rank, long amount, String currency)
      implements HoldReason {}

  /** Palmares may look for the keys of an adopted board under a name that no program uses. */
  record KeyNeverSeen(List<String> keys) implements HoldReason {
    public KeyNeverSeen {
      keys = List.copyOf(keys);
    }
  }

  /** What was found may have been written after the period. */
  record KeyFoundLater(List<String> keys, long members) implements HoldReason {
    public KeyFoundLater {
      keys = List.copyOf(keys);
    }
  }

  /**
   * No file names the period: it is the rest of one whose end has moved.
   *
   * @param from when that begins, with its offset
   * @param to when that ends
   */
  record Cut(String season, String from, String to) implements HoldReason {}

  /** A person has asked for it. */
  record Person(String by, String reason) implements HoldReason {}

  /** A member was excluded, or more than before, after the closing was ranked. */
  record Excluded(String member, String level) implements HoldReason {}

  /** A member is ranked with an exclusion that was lifted. */
  record Lifted(String member, String level) implements HoldReason {}

  /** Further members whose exclusions have changed. */
  record OthersExcluded(long members) implements HoldReason {}

  /** Encodes reasons for the database. */
  static String write(List<HoldReason> reasons) {
    return JsonMapper.shared().writeValueAsString(Said.plain(reasons));
  }

  private static BigDecimal plain(BigDecimal amount) {
    BigDecimal stripped = amount.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  /** Reads a reason as {@link #write} encodes it. */
  final class Reader extends ValueDeserializer<HoldReason> {
    private static final Map<String, Class<?>> BY_CODE =
        Arrays.stream(HoldReason.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(Sentence::code, type -> type));

    private static final JsonMapper VALUES =
        JsonMapper.shared().rebuild().addMixIn(HoldReason.class, OfValues.class).build();

    /** Reads the values of a reason whose type is known. */
    @JsonDeserialize
    private interface OfValues {}

    @Override
    public HoldReason deserialize(JsonParser parser, DeserializationContext context) {
      JsonNode stored = context.readTree(parser);
      Class<?> type = Objects.requireNonNull(BY_CODE.get(stored.path("code").asString()));
      return (HoldReason) VALUES.treeToValue(stored.path("values"), type);
    }
  }
}
