package palmares.platform.nodes;

import palmares.platform.text.Sentence;

/** Says why a process may not be a server of the installation. */
public interface NodeSentences {
  record NameTaken(String name, String process) implements Sentence {}

  record NameDifferently() implements Sentence {}
}
