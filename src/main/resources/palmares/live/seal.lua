-- Ends a live board's changes for good, and says what it holds. May be called again and again.
-- KEYS: meta, board
-- Answers {members, points, events}, or nothing if there is no such board.
if redis.call('EXISTS', KEYS[1]) == 0 then
  return {}
end
redis.call('HSET', KEYS[1], 'state', 'sealed')
local held = redis.call('HMGET', KEYS[1], 'points', 'seq')
return {tostring(redis.call('ZCARD', KEYS[2])), held[1], held[2]}
