-- Opens a sealed live board again; does nothing if it is missing or being rebuilt. Idempotent.
-- KEYS: meta
if redis.call('HGET', KEYS[1], 'state') == 'sealed' then
  redis.call('HSET', KEYS[1], 'state', 'open')
end
return {}
