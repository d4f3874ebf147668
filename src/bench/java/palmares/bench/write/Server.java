package palmares.bench.write;

/** The server that events are sent to, and the key that it knows their senders by. */
public record Server(String host, int port, String apiKey) {}
