package palmares.api.ops;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RestController;
import palmares.api.http.InputSentences;
import palmares.operations.batches.Batches;
import palmares.operations.batches.NumberRanges;
import palmares.operations.tasks.Call;
import palmares.operations.tasks.Result;
import palmares.operations.tasks.Task;
import palmares.operations.tasks.Tasks;
import palmares.operations.tasks.VerbRequest;
import palmares.period.exclusion.Exclusion;
import palmares.platform.output.OutputTable;
import palmares.platform.text.Next;
import palmares.platform.text.Sentence;
import palmares.rules.board.Sha256;
import palmares.settlement.outbox.WalletPages;
import palmares.settlement.wallet.WalletComparisons;
import palmares.settlement.wallet.WalletComparisons.Compared;
import palmares.settlement.wallet.WalletComparisons.ComparisonRow;
import palmares.settlement.wallet.WalletComparisons.Scope;
import palmares.settlement.wallet.WalletFindings;
import palmares.settlement.wallet.WalletFindings.FindingRow;
import palmares.settlement.wallet.WalletFindings.Kind;
import palmares.settlement.wallet.WalletReturns;

@RestController
class WalletController implements WalletResource {
  /** What is said of comparisons with a wallet's list, and of the differences. */
  interface ReconcileSentences {
    record Compared(long lines, long awards, long confirmed) implements Sentence {}

    record Returning(long members) implements Sentence {}

    record NothingRefused() implements Sentence {}

    record ListOrFetch() implements Sentence {}

    record NoDifference() implements Sentence {}

    record Found(String kind, long findings) implements Sentence {}

    record Resent(long awards) implements Sentence {}

    record NothingToResend() implements Sentence {}

    record Accepted(long findings) implements Sentence {}

    record NothingOpen() implements Sentence {}
  }

  private static final int MAX_ROWS_IN_TABLE = 100;
  private static final OutputTable<FindingRow> FINDINGS = OutputTable.of(FindingRow.class);
  private static final OutputTable<ComparisonRow> COMPARISONS = OutputTable.of(ComparisonRow.class);

  private final Tasks tasks;
  private final WalletComparisons comparisons;
  private final WalletFindings findings;
  private final WalletReturns returns;
  private final WalletPages pages;

  WalletController(
      Tasks tasks,
      WalletComparisons comparisons,
      WalletFindings findings,
      WalletReturns returns,
      WalletPages pages) {
    this.returns = returns;
    this.pages = pages;
    this.tasks = tasks;
    this.comparisons = comparisons;
    this.findings = findings;
  }

  @Override
  public Rows<FindingRow> findings(@Nullable String kind, boolean closed, PageRequest page) {
    Kind only = kind(kind);
    return Listing.page(
        FINDINGS,
        "findings",
        page,
        MAX_ROWS_IN_TABLE,
        1,
        (cursor, most) -> findings.list(only, closed, PageCursor.number(cursor), most),
        last -> PageCursor.of(last.id()));
  }

  @Override
  public Rows<ComparisonRow> comparisons(PageRequest page) {
    return Listing.page(
        COMPARISONS,
        "comparisons",
        page,
        MAX_ROWS_IN_TABLE,
        1,
        (cursor, most) -> comparisons.list(PageCursor.number(cursor), most),
        last -> PageCursor.of(last.id()));
  }

  private static @Nullable Kind kind(@Nullable String word) {
    return word == null ? null : Lookup.choice("kind", Kind.values(), word);
  }

  @Override
  public Task reconcile(ReconcileRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    Lookup.Range range = Lookup.range(body.from(), body.to(), ZoneOffset.UTC);
    if (body.fetch() && body.credits() != null) {
      throw Lookup.invalid("credits", new ReconcileSentences.ListOrFetch());
    }
    String list = body.fetch() ? fetch(range) : Lookup.required("credits", body.credits());
    var scope = new Scope(range.from(), range.to(), body.lines());
    return tasks.now(
        call,
        new VerbRequest("reconcile", null, null, reason, body)
            .with("from", body.from())
            .with("to", body.to())
            .with("credits", Sha256.of(list)),
        by -> {
          Compared compared = comparisons.compare(list, scope, by);
          return new Result(Task.State.DONE, said(compared))
              .then(next(compared))
              .changing(() -> List.of(Sha256.of(list), compared.toString()));
        });
  }

  private String fetch(Lookup.Range range) {
    Instant from = range.from();
    return pages.read(from == null ? null : comparisons.firstPosted(from, range.to()), range.to());
  }

  private static List<Sentence> said(Compared compared) {
    var said = new ArrayList<Sentence>();
    said.add(
        new ReconcileSentences.Compared(compared.lines(), compared.awards(), compared.confirmed()));
    if (compared.found().isEmpty()) {
      said.add(new ReconcileSentences.NoDifference());
    }
    compared
        .found()
        .forEach((kind, number) -> said.add(new ReconcileSentences.Found(kind.word(), number)));
    return said;
  }

  private static List<Next> next(Compared compared) {
    return compared.found().containsKey(Kind.MISSING)
        ? List.of(Next.of("resend").with("kind", Kind.MISSING.word()))
        : List.of();
  }

  @Override
  public Task resend(FindingRequest body, Call call) {
    return onFindings(
        "resend",
        body,
        call,
        (by, kind) -> {
          List<FindingRow> again = findings.resend(ids(body), kind, by);
          return Result.done(
                  again.isEmpty()
                      ? new ReconcileSentences.NothingToResend()
                      : new ReconcileSentences.Resent(again.size()))
              .changing(() -> versions(again));
        });
  }

  @Override
  public Task accept(FindingRequest body, Call call) {
    return onFindings(
        "accept-findings",
        body,
        call,
        (by, kind) -> {
          List<FindingRow> closed = findings.accept(ids(body), kind, by, body.reason());
          return Result.done(
                  closed.isEmpty()
                      ? new ReconcileSentences.NothingOpen()
                      : new ReconcileSentences.Accepted(closed.size()))
              .changing(() -> versions(closed));
        });
  }

  @Override
  public Task returnRefused(ReturnRequest body, Call call) {
    String reason = Lookup.reason(body.reason());
    if (body.findings() != null && body.findings().isEmpty()) {
      throw Lookup.invalid("findings", new InputSentences.NameOrAll("findings")); // Not all.
    }
    Lookup.requireNamedOrAll("findings", body.findings(), body.all());
    List<Long> ids = Objects.requireNonNullElse(body.findings(), List.of());
    return tasks.now(
        call,
        new VerbRequest("return-refused", null, null, reason, body)
            .with("findings", body.findings()),
        by -> {
          List<Exclusion> made = returns.exclude(ids, Batches.MAX_EXCLUSIONS, reason, by);
          List<Long> numbers = made.stream().map(Exclusion::id).sorted().toList();
          return (made.isEmpty()
                  ? Result.done(new ReconcileSentences.NothingRefused())
                  : Result.done(new ReconcileSentences.Returning(made.size())))
              .then(
                  made.isEmpty() || call.dryRun()
                      ? List.of()
                      : List.of(
                          Next.of("batch")
                              .with("verb", "amend")
                              .with("exclusions", NumberRanges.format(numbers))))
              .changing(() -> made.stream().map(each -> each.terms().toString()).toList());
        });
  }

  private static List<Long> ids(FindingRequest body) {
    return Objects.requireNonNullElse(body.findings(), List.of());
  }

  private static List<String> versions(List<FindingRow> rows) {
    return rows.stream().map(FindingRow::toString).toList();
  }

  private Task onFindings(
      String verb,
      FindingRequest body,
      Call call,
      BiFunction<String, @Nullable Kind, Result> work) {
    String reason = Lookup.reason(body.reason());
    if (body.findings() != null && body.findings().isEmpty()) {
      throw Lookup.invalid("findings", new InputSentences.NameOrAll("findings")); // Not all.
    }
    Lookup.requireNamedOrAll(
        "findings", body.findings() == null ? body.kind() : body.findings(), body.all());
    Kind kind = kind(body.kind());
    return tasks.now(
        call,
        new VerbRequest(verb, null, null, reason, body)
            .with("findings", body.findings())
            .with("kind", body.kind()),
        by -> work.apply(by, kind));
  }
}
