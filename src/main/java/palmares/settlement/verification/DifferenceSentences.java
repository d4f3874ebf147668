package palmares.settlement.verification;

import java.time.ZonedDateTime;
import palmares.platform.text.Sentence;
import palmares.rules.board.BoardId;
import palmares.settlement.manifest.ChainLink.Chain;

/**
 * What differs from manifests and anchors; other differences are said by the SQL of a {@link
 * Check}.
 */
interface DifferenceSentences {
  record AnchoredLink(long n, Chain chain, String what, ZonedDateTime at) implements Sentence {}

  record Anchors(Chain chain, String file) implements Sentence {}

  record Counted(Object members, Object points, Object events) implements Sentence {}

  record Definition(String hash, BoardId board) implements Sentence {}

  record KeptLink(long n, Chain chain) implements Sentence {}

  record Links(long links) implements Sentence {}

  record ManifestCount(String field, int revision) implements Sentence {}

  record ManifestField(String field, int revision) implements Sentence {}

  record ManifestHash(int revision) implements Sentence {}

  record Manifest(int revision) implements Sentence {}

  record None() implements Sentence {}

  record Population() implements Sentence {}

  record Rules() implements Sentence {}

  record TextAndHash() implements Sentence {}
}
