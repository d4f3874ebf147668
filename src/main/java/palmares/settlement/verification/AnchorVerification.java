package palmares.settlement.verification;

import static java.time.ZoneOffset.UTC;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.platform.text.Sentence;
import palmares.settlement.manifest.Anchor;
import palmares.settlement.manifest.Anchors;
import palmares.settlement.manifest.Anchors.Copy;
import palmares.settlement.manifest.ChainLink;
import palmares.settlement.manifest.ChainLink.Chain;
import palmares.settlement.verification.DifferenceSentences.AnchoredLink;
import palmares.settlement.verification.DifferenceSentences.KeptLink;
import palmares.settlement.verification.DifferenceSentences.Links;

/**
 * Compares links that were anchored outside of the database with those stored in it.
 *
 * <p>A link that the database lacks, or has otherwise, is a difference. That the file is missing,
 * torn or younger than the links is a note only: each machine has its own file, which may be new.
 * If the file is required, links that it does not have are a difference.
 */
@Component
class AnchorVerification {
  /** A scheduler anchors new links each minute. */
  private static final Duration MAX_ANCHOR_DELAY = Duration.ofMinutes(5);

  private final JdbcClient jdbc;
  private final Anchors anchors;

  private final Clock clock;

  AnchorVerification(JdbcClient jdbc, Anchors anchors, Clock clock) {
    this.clock = clock;
    this.jdbc = jdbc;
    this.anchors = anchors;
  }

  /** What a chain's stored links are found to have in the file. */
  private static final class Compared {
    /** Of links that are both stored and anchored. */
    final BitSet numbers = new BitSet();

    long lastStored;
    long late;
  }

  /** What is anchored now. */
  Copy copy() {
    return anchors.copy();
  }

  /** Compares links that the caller kept. */
  void compare(Findings findings, List<ChainLink> kept) {
    for (ChainLink link : kept) {
      Optional<String> stored =
          jdbc.sql("select hash from (%s) link where n = :n".formatted(link.chain().links()))
              .param("n", link.n())
              .query(String.class)
              .optional();
      if (!stored.equals(Optional.of(link.hash()))) {
        findings.add(
            new Difference(
                "",
                new KeptLink(link.n(), link.chain()),
                Sentence.verbatim(link.hash()),
                stored.map(Sentence::verbatim).orElse(null)));
      }
    }
  }

  /**
   * @param copy must have been made before the transaction read any table
   */
  void compare(Findings findings, Copy copy) {
    Map<Chain, Compared> chains = new EnumMap<>(Chain.class);
    for (Chain chain : Chain.values()) {
      var compared = new Compared();
      compared.lastStored =
          jdbc.sql("select coalesce(max(n), 0) from (%s) link".formatted(chain.links()))
              .query(Long.class)
              .single();
      chains.put(chain, compared);
    }
    List<Long> torn =
        anchors.read(
            copy,
            batch ->
                chains.forEach(
                    (chain, compared) ->
                        compare(
                            findings,
                            compared,
                            chain,
                            batch.stream().filter(one -> one.chain() == chain).toList())));
    if (!torn.isEmpty()) {
      findings.note(
          new VerificationSentences.TornLines(
              copy.file().toString(), torn.stream().map(String::valueOf).toList()));
    }
    chains.forEach((chain, compared) -> note(findings, copy.file(), chain, compared));
  }

  private record Unlike(int i, @Nullable String hash, boolean stored, boolean equal) {}

  private void compare(Findings findings, Compared compared, Chain chain, List<Anchor> batch) {
    findings.compareAnchors(batch.size());
    batch.stream()
        .filter(anchor -> anchor.n() > 0 && anchor.n() <= compared.lastStored)
        .forEach(anchor -> compared.numbers.set(Math.toIntExact(anchor.n())));
    jdbc.sql(
            """
            select
              i,
              link.hash,
              link.n is not null as stored,
              link.hash is not distinct from anchor.hash as equal
            from unnest(:ns::bigint[], :hashes::text[], :ats::timestamptz[])
              with ordinality as anchor (n, hash, at, i)
            left join (%s) link using (n)
            where link.hash is distinct from anchor.hash
              or made_at < anchor.at - interval '1 day'
            order by i
            """
                .formatted(chain.links()))
        .param("ns", batch.stream().map(Anchor::n).toList())
        .param("hashes", batch.stream().map(Anchor::hash).toList())
        .param("ats", batch.stream().map(Anchor::at).toList())
        .query(Unlike.class)
        .list()
        .forEach(
            unlike -> {
              Anchor anchor = batch.get(unlike.i() - 1);
              if (unlike.equal()) {
                compared.late++;
                return;
              }
              if (!unlike.stored() && anchor.n() <= compared.lastStored) {
                compared.numbers.clear(Math.toIntExact(anchor.n()));
              }
              findings.add(
                  new Difference(
                      "",
                      new AnchoredLink(anchor.n(), chain, anchor.what(), anchor.at().atZone(UTC)),
                      Sentence.verbatim(anchor.hash()),
                      unlike.hash() == null ? null : Sentence.verbatim(unlike.hash())));
            });
  }

  /**
   * Links after the last anchored one are new: they are anchored within a minute. If none is
   * anchored, as in a new installation, those of the last minutes are new.
   */
  private void note(Findings findings, Path file, Chain chain, Compared compared) {
    boolean none = compared.numbers.isEmpty();
    long stored =
        jdbc.sql(
                """
                select count(*) from (%s) link
                where n <= :last and (not :fresh or made_at <= :until)
                """
                    .formatted(chain.links()))
            .param("last", none ? compared.lastStored : compared.numbers.length() - 1)
            .param("fresh", none && !anchors.required())
            .param("until", clock.instant().minus(MAX_ANCHOR_DELAY))
            .query(Long.class)
            .single();
    long without = stored - compared.numbers.cardinality();
    if (without > 0 && anchors.required()) {
      findings.add(
          new Difference(
              "",
              new DifferenceSentences.Anchors(chain, file.toString()),
              new Links(stored),
              stored == without ? null : new Links(stored - without)));
    } else if (without > 0) {
      findings.note(new VerificationSentences.NoAnchors(file.toString(), without, chain.word()));
    }
    if (compared.late > 0) {
      findings.note(
          new VerificationSentences.LateAnchors(file.toString(), compared.late, chain.word()));
    }
  }
}
