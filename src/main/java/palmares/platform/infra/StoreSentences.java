package palmares.platform.infra;

import palmares.platform.text.Sentence;

/** Says why PostgreSQL or Redis cannot be used at a start, and what a person can do about it. */
interface StoreSentences {
  record WrongInfra(String setting, String value) implements Sentence {}

  record SetOneOfThese() implements Sentence {}

  record OneStoreOnly(String set, String store, String missing, String other) implements Sentence {}

  record SetBoth() implements Sentence {}

  record Unusable(String store, String why) implements Sentence {}

  record CorrectRedis() implements Sentence {}

  record CorrectIt() implements Sentence {}

  record RequiresDurable() implements Sentence {}

  record OfOtherDatabase(String redis, String owner, String own) implements Sentence {}

  record NameOtherRedis() implements Sentence {}

  record OfCopy(String redis) implements Sentence {}

  record StopOther() implements Sentence {}

  record PostgresUnusable(String address, Sentence why) implements Sentence {}

  record CorrectUrl() implements Sentence {}

  record CorrectUser() implements Sentence {}

  record CreateDatabase() implements Sentence {}

  record AllowConnections() implements Sentence {}

  record Replica() implements Sentence {}

  record NamePrimary() implements Sentence {}

  record OtherVersion(String server, boolean isOlder, long format, long oldest, long newest)
      implements Sentence {}

  record StopOlder() implements Sentence {}

  record StartNewer() implements Sentence {}

  record StartsServers(String folder) implements Sentence {}

  record PreparesTables() implements Sentence {}
}
