#!lua flags=allow-oom
-- Lets a board that is being rebuilt take the number of an event that changes nothing.
-- KEYS: meta  ARGV: the state that the rebuild gave it, the number
-- Answers {'done'}, or nothing and does nothing if another number is next or another process has it.
local held = redis.call('HMGET', KEYS[1], 'state', 'seq')
if held[1] ~= ARGV[1] or tonumber(held[2]) + 1 ~= tonumber(ARGV[2]) then
  return {}
end
redis.call('HSET', KEYS[1], 'seq', ARGV[2], 'drained', ARGV[2])
return {'done'}
