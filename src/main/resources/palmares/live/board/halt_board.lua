#!lua flags=allow-oom
-- Keeps everybody from a live board, for one who makes it anew.
-- KEYS: meta  ARGV: the state that it has from now on
-- Answers {its state before, how many events it has decided}, or nothing if there is no such board.
local held = redis.call('HMGET', KEYS[1], 'state', 'seq')
if not held[1] then
  return {}
end
redis.call('HSET', KEYS[1], 'state', ARGV[1])
return held
