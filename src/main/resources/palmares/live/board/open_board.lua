-- Opens a new live board for events. Idempotent.
-- KEYS: meta
if redis.call('HGET', KEYS[1], 'state') == 'new' then
  redis.call('HSET', KEYS[1], 'state', 'open')
end
return {}
