import org.openapitools.client.ApiClient;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.model.Event;

/** Sends an event by the generated client. */
public class SendEvent {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    var event = new Event().board(args[2]).member(args[3]).action(args[4]).id(args[5]);
    System.out.println(new EventsApi(client).takeEvents(event, null));
  }
}
