#!lua flags=allow-oom
-- Halts a live board for a rebuild: nobody else changes it from now on.
-- KEYS: meta  ARGV: the new state, which names the rebuild
-- Returns {its state before, how many events it has decided}, or nothing if there is no such board.
local held = redis.call('HMGET', KEYS[1], 'state', 'seq')
if not held[1] then
  return {}
end
redis.call('HSET', KEYS[1], 'state', ARGV[1])
return held
