package palmares.settlement.verification;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import palmares.settlement.manifest.Anchors.Anchor;
import palmares.settlement.manifest.Anchors.Chain;

/** Compares links that were anchored outside of the database with those stored in it. */
@Component
class AnchorVerification {
  private final JdbcClient jdbc;

  AnchorVerification(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * @param anchors must have been read before the transaction read any table
   */
  void compare(Findings findings, List<Anchor> anchors) {
    for (Chain chain : Chain.values()) {
      compare(findings, chain, anchors.stream().filter(one -> one.chain() == chain).toList());
    }
  }

  private void compare(Findings findings, Chain chain, List<Anchor> anchors) {
    jdbc.sql(
            """
            select i, link.hash
            from unnest(:ns::bigint[], :hashes::text[]) with ordinality as anchor (n, hash, i)
            left join (%s) link using (n)
            where link.hash is distinct from anchor.hash
            order by i
            """
                .formatted(chain.links()))
        .param("ns", anchors.stream().map(Anchor::n).toArray(Long[]::new))
        .param("hashes", anchors.stream().map(Anchor::hash).toArray(String[]::new))
        .query(
            row -> {
              Anchor anchor = anchors.get(row.getInt("i") - 1);
              findings.add(
                  new Difference(
                      "",
                      "link %d of the %s, of %s, anchored at %s"
                          .formatted(anchor.n(), chain.word(), anchor.what(), anchor.at()),
                      anchor.hash(),
                      row.getString("hash")));
            });
  }
}
