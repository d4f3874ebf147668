package palmares.settlement.lines;

import java.util.List;
import palmares.platform.text.Sentence;

/** What stops a closing because its lines are not what was sealed and journaled. */
interface ReconciliationSentences {
  record NotReconciled(String period, List<Sentence> faults) implements Sentence {}
}
