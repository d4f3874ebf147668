#!lua flags=allow-oom
-- Halts a live board for a reason, or ends such a halt. A torn board stays torn. Idempotent.
-- KEYS: meta  ARGV: the reason, 'halt' or 'resume'
local held = redis.call('HMGET', KEYS[1], 'state', 'halted')
if not held[1] then
  return {}
elseif ARGV[2] == 'halt' and held[2] ~= 'torn' then
  redis.call('HSET', KEYS[1], 'halted', ARGV[1])
elseif ARGV[2] == 'resume' and held[2] == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'halted')
end
return {}
