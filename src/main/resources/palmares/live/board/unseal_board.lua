-- Lets a sealed live board take events again; leaves one alone that is not there, or is made anew.
-- May be called again and again.
-- KEYS: meta
if redis.call('HGET', KEYS[1], 'state') == 'sealed' then
  redis.call('HSET', KEYS[1], 'state', 'open')
end
return {}
