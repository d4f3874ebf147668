-- Runs each command of Palmares' scripts, so that Redis raises the error that they would meet.
-- KEYS: two keys that nothing else uses
local key, renamed = KEYS[1], KEYS[2]
redis.call('TIME')
redis.call('UNLINK', key, renamed)

redis.call('SET', key, '1', 'PX', '60000')
redis.call('TYPE', key)
redis.call('EXISTS', key)
redis.call('RENAME', key, renamed)
redis.call('PERSIST', renamed)
redis.call('PEXPIRE', renamed, '60000')
redis.call('PTTL', renamed)
redis.call('PEXPIREAT', renamed, '1')

redis.call('HSET', key, 'field', '1')
redis.call('PEXPIRE', key, '60000')
redis.call('HGET', key, 'field')
redis.call('HMGET', key, 'field')
redis.call('HEXISTS', key, 'field')
redis.call('HLEN', key)
redis.call('HSCAN', key, '0')
redis.call('HINCRBY', key, 'field', '1')
redis.call('HDEL', key, 'field')

redis.call('ZADD', key, '1', 'entry')
redis.call('PEXPIRE', key, '60000')
redis.call('ZCARD', key)
redis.call('ZCOUNT', key, '-inf', '+inf')
redis.call('ZSCORE', key, 'entry')
redis.call('ZREVRANK', key, 'entry')
redis.call('ZREVRANGE', key, '0', '0')
redis.call('ZREMRANGEBYRANK', key, '1', '1')
redis.call('ZREM', key, 'entry')

redis.call('XADD', key, '*', 'field', '1')
redis.call('PEXPIRE', key, '60000')
redis.call('XLEN', key)
redis.call('XRANGE', key, '-', '+')
redis.call('XREVRANGE', key, '+', '-')
redis.call('XTRIM', key, 'MAXLEN', '0')
redis.call('UNLINK', key, renamed)
return {}
