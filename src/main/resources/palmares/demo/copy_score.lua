-- Gives the last member the score of the first, as somebody with access to Redis could.
-- KEYS: the ZSET of a live board
local first = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local last = redis.call('ZREVRANGE', KEYS[1], -1, -1)
redis.call('ZADD', KEYS[1], 'XX', first[2], last[1])
return {last[1]}
