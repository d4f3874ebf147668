-- Lets a live board take events that was made and has taken none yet. May be called again and again.
-- KEYS: meta
if redis.call('HGET', KEYS[1], 'state') == 'new' then
  redis.call('HSET', KEYS[1], 'state', 'open')
end
return {}
