package palmares.bench.write;

import java.io.IOException;
import java.util.Optional;
import palmares.bench.write.Volley.CoinEvents;
import palmares.period.Population;
import palmares.rules.calendar.Slot;

/** Events over HTTP, to an address that keeps them or to one that does not. */
record HttpWay(
    LoadProcess loader, String path, CoinEvents source, int clients, int batch, Outcome outcome)
    implements Way {

  /** What is there afterwards. */
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
