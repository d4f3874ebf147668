package palmares.platform.embedded;

import palmares.platform.text.Sentence;

/** Says why embedded servers cannot be used, and what a person can do about it. */
interface ServerSentences {
  record FolderServed(String folder, Sentence owner) implements Sentence {}

  record Waiting(String folder) implements Sentence {}

  record OwningProcess(long process, String purpose) implements Sentence {}

  record OwnerStarts() implements Sentence {}

  record UseOwner(String option) implements Sentence {}

  record DiskFull(String folder, Sentence why) implements Sentence {}

  record TooLittleSpace(long free, long needed) implements Sentence {}

  record NoSpaceLeft() implements Sentence {}

  record FoundNoSpace(String program) implements Sentence {}

  record FreeSpace(String option) implements Sentence {}

  record FolderUnusable(String folder, Sentence why) implements Sentence {}

  record OtherData(String folder, String purpose) implements Sentence {}

  record IsFile(String file) implements Sentence {}

  record NoPermission(String file) implements Sentence {}

  record MakeFolder(String user, String option) implements Sentence {}

  /**
   * @param fault a word
   * @param details of the program's output and its log
   */
  record Broken(String program, String folder, String fault, String details) implements Sentence {}

  record NotUsable(String folder, String why) implements Sentence {}

  record LogIs(String log) implements Sentence {}

  record NoNamespaces(String why) implements Sentence {}

  record RunAsUser() implements Sentence {}

  record NoProgram(String program, String system, String machine) implements Sentence {}

  record TakeWholeJar() implements Sentence {}
}
