#!lua flags=allow-oom
-- Seals a live board, so that nothing changes it any more. Idempotent.
-- KEYS: meta
-- Returns {members, points, events} as the board has counted them, nothing if there is no such board, or {'rebuilding'} if it is
-- being rebuilt.
local state = redis.call('HGET', KEYS[1], 'state')
if not state then
  return {}
end
if string.sub(state, 1, 10) == 'rebuilding' then
  return {'rebuilding'}
end
redis.call('HSET', KEYS[1], 'state', 'sealed')
return redis.call('HMGET', KEYS[1], 'lines', 'points', 'seq')
