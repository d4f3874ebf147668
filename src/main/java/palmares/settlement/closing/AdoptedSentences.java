package palmares.settlement.closing;

import java.util.List;
import palmares.platform.text.Sentence;

/** Why an adopted board cannot be restarted. */
interface AdoptedSentences {
  record WouldBeLost(String period, Sentence fault) implements Sentence {}

  record OtherRanks(String counts, String scores, List<Sentence> differences) implements Sentence {}
}
