package palmares.platform.redis;

import palmares.platform.text.Sentence;

/** Why Redis cannot be used. */
interface RedisSentences {
  record Unavailable(RedisUnavailable.Reason reason) implements Sentence {}
}
