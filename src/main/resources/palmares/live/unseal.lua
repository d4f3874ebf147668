-- Lets a live board take events again, if there is one. May be called again and again.
-- KEYS: meta
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HSET', KEYS[1], 'state', 'open')
end
return {}
