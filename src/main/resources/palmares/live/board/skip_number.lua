#!lua flags=allow-oom
-- Uses the number of an event that changes nothing, on a board that is being rebuilt.
-- KEYS: meta  ARGV: the state of the rebuild, the number
-- Returns {'done'}, or nothing and changes nothing if another number is next or another process
-- rebuilds the board.
local held = redis.call('HMGET', KEYS[1], 'state', 'seq')
if held[1] ~= ARGV[1] or tonumber(held[2]) + 1 ~= tonumber(ARGV[2]) then
  return {}
end
redis.call('HSET', KEYS[1], 'seq', ARGV[2], 'drained', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'size', -1)
return {'done'}
