import sys

import palmares_client
from palmares_client import Event, EventsApi, TakeEventsRequest

url, key, board, member, action, id = sys.argv[1:]
configuration = palmares_client.Configuration(host=url, access_token=key)
with palmares_client.ApiClient(configuration) as client:
    event = Event(id=id, member=member, action=action, board=board)
    print(EventsApi(client).take_events(TakeEventsRequest(event)).to_json())
