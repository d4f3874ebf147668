package palmares.settlement.wallet;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import palmares.platform.Problem;
import palmares.platform.Refusal;
import palmares.platform.output.CsvText;
import palmares.platform.text.Fault;
import palmares.platform.text.ListSentences;
import palmares.platform.text.Sentence;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a wallet's list of credits: CSV whose first line names the columns, or NDJSON. Each line
 * has the {@code id} of the award and the {@code amount}, and may have the {@code currency}; other
 * fields are not read. The last line must end with a line break, or the list may have been cut off.
 */
final class WalletList {
  static final int MAX_LINES = 200_000;

  private static final int MAX_ERRORS = 20;
  private static final int MAX_SHOWN_CHARACTERS = 100;
  private static final String BYTE_ORDER_MARK = "\ufeff";
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private final List<Credit> credits = new ArrayList<>();
  private final List<Sentence> errors = new ArrayList<>();

  private WalletList() {}

  /**
   * A credit in the wallet.
   *
   * @param id the award as the wallet names it
   * @param currency null if the list does not say so
   */
  record Credit(String id, long amount, @Nullable String currency) {}

  /**
   * Reads all credits.
   *
   * @throws Refusal if the list has errors; names the line of each
   */
  static List<Credit> read(String text) {
    String plain = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    if (plain.isBlank()) {
      throw refused(new WalletSentences.NoLines());
    }
    if (!plain.endsWith("\n")) {
      throw refused(new WalletSentences.CutOff());
    }
    var list = new WalletList();
    if (plain.stripLeading().startsWith("{")) {
      list.readJson(plain);
    } else {
      list.readCsv(plain);
    }
    if (!list.errors.isEmpty()) {
      throw refused(ListSentences.lines(list.errors, MAX_ERRORS));
    }
    return list.credits;
  }

  static Refusal refused(Sentence said) {
    return new Refusal(Problem.INVALID_FIELD, List.of(Fault.of("credits", said)));
  }

  private void readJson(String text) {
    long number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!line.isBlank()) {
        try {
          JsonNode node = JSON.readTree(line);
          add(number, node.path("id"), node.path("amount"), node.path("currency"));
        } catch (JacksonException e) {
          fault(number, new WalletSentences.NotAList(e.getOriginalMessage()));
        }
      }
    }
  }

  private void add(long line, JsonNode id, JsonNode amount, JsonNode currency) {
    if (!amount.isIntegralNumber() || !amount.canConvertToLong()) {
      fault(line, new WalletSentences.NotAnAmount(shown(amount.toString())));
    } else {
      add(
          line,
          id.isString() ? id.asString() : "",
          amount.asLong(),
          currency.isString() ? currency.asString() : null);
    }
  }

  private void readCsv(String text) {
    String heading = text.lines().findFirst().orElse("");
    CSVFormat format =
        CSVFormat.RFC4180
            .builder()
            .setDelimiter(heading.contains(";") && !heading.contains(",") ? ';' : ',')
            .setHeader()
            .setSkipHeaderRecord(true)
            .setIgnoreEmptyLines(true)
            .get();
    try (CSVParser rows = format.parse(new StringReader(text))) {
      for (String column : List.of("id", "amount")) {
        if (!rows.getHeaderNames().contains(column)) {
          throw refused(new WalletSentences.NoColumn(column));
        }
      }
      for (CSVRecord row : rows) {
        add(rows.getCurrentLineNumber(), row, rows.getHeaderNames().size());
      }
    } catch (IllegalArgumentException | UncheckedIOException | IOException e) {
      throw refused(new WalletSentences.NotAList(String.valueOf(e.getMessage())));
    }
  }

  private void add(long line, CSVRecord row, int columns) {
    if (!row.isConsistent()) {
      fault(line, new WalletSentences.Fields(row.size(), columns));
      return;
    }
    String amount = row.get("amount").strip();
    try {
      add(
          line,
          CsvText.read(row.get("id")),
          Long.parseLong(amount),
          row.isMapped("currency") && !row.get("currency").isBlank()
              ? row.get("currency").strip()
              : null);
    } catch (NumberFormatException e) {
      fault(line, new WalletSentences.NotAnAmount(shown(amount)));
    }
  }

  private void add(long line, String id, long amount, @Nullable String currency) {
    if (id.isBlank()) {
      fault(line, new WalletSentences.NoId());
    } else if (amount <= 0) {
      fault(line, new WalletSentences.NotAnAmount(Objects.toString(amount)));
    } else if (credits.size() == MAX_LINES) {
      throw refused(new WalletSentences.TooManyLines(MAX_LINES));
    } else {
      credits.add(new Credit(id.strip(), amount, currency));
    }
  }

  static String shown(String text) {
    return text.substring(0, Math.min(text.length(), MAX_SHOWN_CHARACTERS));
  }

  private void fault(long line, Sentence what) {
    errors.add(new WalletSentences.AtLine(line, what));
  }
}
