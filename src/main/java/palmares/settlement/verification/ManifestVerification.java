package palmares.settlement.verification;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.text.Sentence;
import palmares.rules.board.Board;
import palmares.rules.board.Sha256;
import palmares.settlement.manifest.ManifestSql;
import palmares.settlement.manifest.Manifests;
import palmares.settlement.outcome.Revision;
import palmares.settlement.verification.DifferenceSentences.Counted;
import palmares.settlement.verification.DifferenceSentences.Manifest;
import palmares.settlement.verification.DifferenceSentences.ManifestCount;
import palmares.settlement.verification.DifferenceSentences.ManifestField;
import palmares.settlement.verification.DifferenceSentences.ManifestHash;
import palmares.settlement.verification.DifferenceSentences.None;
import palmares.settlement.verification.DifferenceSentences.Population;
import palmares.settlement.verification.DifferenceSentences.TextAndHash;

/** Compares manifests with the rows that they describe, field by field. */
@Component
class ManifestVerification {
  /** Fields that are counted when rows are written, and stored with the outcome. */
  private static final Set<String> COUNTED =
      Set.of(
          "events", "events-checksum", "lines", "lines-checksum", "payments", "payments-checksum");

  private static final String STORED =
      """
      select
        period.id,
        manifest.body,
        manifest.hash,
        period.archived_at is not null as archived,
        coalesce(rebuilt_members, sealed_members)::text as sealed_members,
        coalesce(rebuilt_points, sealed_points)::text as sealed_points,
        coalesce(rebuilt_events, sealed_events)::text as sealed_events,
        jsonb_build_object(
          'events', coalesce(drained, 0)::text,
          'events-checksum', coalesce(checksum, 0)::text,
          'lines', revision.lines::text,
          'lines-checksum', revision.line_sum::text,
          'payments', revision.payments::text,
          'payments-checksum', revision.payment_sum::text) as counted
      from period
      join revision on revision.period_id = period.id and revision.revision = :revision
      left join journal_position on journal_position.period_id = period.id
      left join manifest
        on manifest.period_id = period.id and manifest.revision = revision.revision
      where period.id = any(:ids)
      order by period.id
      """;

  /**
   * What is stored of a revision.
   *
   * @param counted the fields that are counted when rows are written
   */
  private record Stored(
      long id,
      @Nullable String body,
      @Nullable String hash,
      boolean archived,
      @Nullable String sealedMembers,
      @Nullable String sealedPoints,
      @Nullable String sealedEvents,
      Map<String, @Nullable String> counted) {}

  private record Field(long periodId, String field, String value) {}

  private final JdbcClient jdbc;

  ManifestVerification(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * @param parameters those of the checks of one revision
   */
  void compare(
      Findings findings, Map<String, Object> parameters, Board board, Map<Long, String> labels) {
    int revision = (int) Objects.requireNonNull(parameters.get("revision"));
    Map<Long, Map<String, String>> rows = rows(parameters, board);
    jdbc.sql(STORED)
        .params(parameters)
        .query(Stored.class)
        .list()
        .forEach(
            row -> {
              String where = labels.getOrDefault(row.id(), "");
              String body = row.body();
              if (body == null) {
                findings.add(
                    new Difference(where, new Manifest(revision), new TextAndHash(), null));
                return;
              }
              compare(findings, where, new ManifestHash(revision), Sha256.of(body), row.hash());
              Map<String, String> now = rows.computeIfAbsent(row.id(), id -> new HashMap<>());
              if (comparesPopulation(parameters)) {
                comparePopulation(findings, where, now, row);
              }
              row.counted()
                  .forEach(
                      (field, counted) -> {
                        if (field.startsWith("events") && row.archived()) {
                          now.put(field, counted); // Archived rows are in files.
                        } else {
                          compare(
                              findings,
                              where,
                              new ManifestCount(field, revision),
                              now.get(field),
                              counted);
                        }
                      });
              compareFields(
                  findings, where, revision, now, new Manifests.Manifest(body, "").fields());
            });
  }

  /**
   * Whether the counted rows are also compared with the population of the seal, instead of by
   * {@link Check#POPULATION}: that would count the rows of a big closing once more.
   */
  static boolean comparesPopulation(Map<String, Object> parameters) {
    return Integer.valueOf(Revision.FIRST).equals(parameters.get("revision"))
        && !Integer.valueOf(0).equals(parameters.get("alone"));
  }

  private static void comparePopulation(
      Findings findings, String where, Map<String, String> counted, Stored row) {
    // Archived events are in files; their number is taken as counted.
    String events = row.archived() ? row.sealedEvents() : counted.get("events");
    var derived = population(counted.get("lines"), counted.get("lines-points"), events);
    var sealed = population(row.sealedMembers(), row.sealedPoints(), row.sealedEvents());
    if (!derived.equals(sealed)) {
      findings.add(new Difference(where, new Population(), derived, sealed));
    }
  }

  private static Counted population(
      @Nullable String members, @Nullable String points, @Nullable String events) {
    return new Counted(number(members), number(points), number(events));
  }

  private static Object number(@Nullable String counted) {
    return counted == null ? new None() : new BigDecimal(counted);
  }

  private static void compare(
      Findings findings,
      String where,
      Sentence what,
      @Nullable String derived,
      @Nullable String stored) {
    if (!Objects.equals(derived, stored)) {
      findings.add(new Difference(where, what, verbatim(derived), verbatim(stored)));
    }
  }

  private static @Nullable Sentence verbatim(@Nullable String text) {
    return text == null ? null : Sentence.verbatim(text);
  }

  private Map<Long, Map<String, String>> rows(Map<String, Object> parameters, Board board) {
    var rows = new HashMap<Long, Map<String, String>>();
    var all = new HashMap<>(parameters);
    all.put("parts", parts(parameters));
    all.putAll(Manifests.parameters(board));
    jdbc.sql(VerificationBatch.tables(parameters).in(ManifestSql.FIELDS_OF_ROWS))
        .params(all)
        .query(Field.class)
        .list()
        .forEach(
            row ->
                rows.computeIfAbsent(row.periodId(), id -> new HashMap<>())
                    .put(row.field(), Manifests.escaped(row.value())));
    return rows;
  }

  /** The outcomes whose payments add up to an amendment's awards; none for a closing. */
  private static List<?> parts(Map<String, Object> parameters) {
    return Integer.valueOf(Revision.FIRST).equals(parameters.get("revision"))
        ? List.of()
        : Stream.of("formers", "outcomes")
            .flatMap(which -> ((List<?>) Objects.requireNonNull(parameters.get(which))).stream())
            .toList();
  }

  private static void compareFields(
      Findings findings,
      String where,
      int revision,
      Map<String, String> rows,
      Map<String, String> written) {
    var names = new TreeSet<>(rows.keySet());
    names.addAll(written.keySet());
    for (String name : names) {
      compare(
          findings, where, new ManifestField(name, revision), rows.get(name), written.get(name));
    }
  }
}
