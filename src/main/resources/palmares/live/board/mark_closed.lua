#!lua flags=allow-oom
-- Marks on a live board how far its closing is. Does nothing if there is no
-- such board. Idempotent.
-- KEYS: meta, or the mark of an adopted board's seal, which names its period
-- ARGV: 'sealed', 'paying' or 'settled'; the period; the payment's transaction, if it is paying. A
-- seal does not undo that it was paying, or is settled.
local held = redis.call('HMGET', KEYS[1], 'period', 'closed')
if redis.call('EXISTS', KEYS[1]) == 1
  and (held[1] or ARGV[2]) == ARGV[2]
  and not (ARGV[1] == 'sealed' and (held[2] == 'paying' or held[2] == 'settled')) then
  redis.call('HSET', KEYS[1], 'closed', ARGV[1])
  if ARGV[3] then
    redis.call('HSET', KEYS[1], 'payment', ARGV[3])
  end
end
return {}
