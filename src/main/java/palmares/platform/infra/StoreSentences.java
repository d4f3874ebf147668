package palmares.platform.infra;

import java.util.List;
import palmares.platform.text.Sentence;

/** Says why PostgreSQL or Redis cannot be used at a start, and what a person can do about it. */
interface StoreSentences {
  record WrongInfra(String setting, String value) implements Sentence {}

  record SetOneOfThese() implements Sentence {}

  record OneStoreOnly(String set, String store, String missing, String other) implements Sentence {}

  record SetBoth() implements Sentence {}

  record SeveralRedis(String setting, String other) implements Sentence {}

  record SetOneRedis() implements Sentence {}

  record OfOtherCluster(String redis, String node) implements Sentence {}

  record NameOneCluster() implements Sentence {}

  record Unusable(String store, Sentence why) implements Sentence {}

  record UsesNoTls() implements Sentence {}

  record RemoveTls() implements Sentence {}

  record NotTrusted(String why) implements Sentence {}

  record TrustIt() implements Sentence {}

  record HangsUp() implements Sentence {}

  record UseTls() implements Sentence {}

  record CorrectRedis() implements Sentence {}

  record CorrectIt() implements Sentence {}

  /**
   * @param risks each of a node or of the only server
   */
  record AtRisk(String redis, List<Sentence> risks) implements Sentence {}

  record OfNode(String node, Sentence risk) implements Sentence {}

  record OfServer(Sentence risk) implements Sentence {}

  record KeepsNothing() implements Sentence {}

  record KeepsSnapshotsOnly() implements Sentence {}

  record UnknownAppendOnly() implements Sentence {}

  record UnwrittenAppendOnly() implements Sentence {}

  record UnknownSync() implements Sentence {}

  record NoSync() implements Sentence {}

  record UnknownPolicy() implements Sentence {}

  record Evicts(String policy) implements Sentence {}

  record NoUtf8(String database, String encoding) implements Sentence {}

  record CreateInUtf8(String statement) implements Sentence {}

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

  /** What follows for a server that runs. */
  record Suspended(Sentence problem, Sentence remedy) implements Sentence {}

  record StopOlder() implements Sentence {}

  record StartNewer() implements Sentence {}

  record StartsServers(String folder) implements Sentence {}

  record PreparesTables() implements Sentence {}
}
