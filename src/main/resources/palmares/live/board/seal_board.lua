#!lua flags=allow-oom
-- Ends a live board's changes for good, and says what it holds. May be called again and again.
-- KEYS: meta, board
-- Answers {members, points, events}, or nothing if there is no such board, or {'rebuilding'} if it
-- is being made anew.
local state = redis.call('HGET', KEYS[1], 'state')
if not state then
  return {}
end
if string.sub(state, 1, 10) == 'rebuilding' then
  return {'rebuilding'}
end
redis.call('HSET', KEYS[1], 'state', 'sealed')
local held = redis.call('HMGET', KEYS[1], 'points', 'seq')
return {tostring(redis.call('ZCARD', KEYS[2])), held[1], held[2]}
