package palmares.bench.write;

import java.io.IOException;
import java.util.Optional;
import palmares.bench.write.Volley.CoinEvents;
import palmares.period.Population;
import palmares.rules.calendar.Slot;

/** Sends events over HTTP to one of the server's endpoints. */
record HttpWay(
    LoadProcess loader, String path, CoinEvents source, int clients, int batch, Outcome outcome)
    implements Way {

  /** Counts the stored events of a day. */
  interface Outcome {
    Optional<Population> collect(Slot day);
  }

  @Override
  public SendResult write(Slot day, long first, int events) throws IOException {
    return loader.send(new Volley(Volley.To.SERVER, path, clients, source, first, events, batch));
  }

  @Override
  public Optional<Population> collect(Slot day) {
    return outcome.collect(day);
  }
}
