package palmares.bench.write;

import java.io.IOException;
import java.util.Optional;
import palmares.period.Population;
import palmares.rules.calendar.Slot;

/** Events over HTTP, to an address that keeps them or to one that does not. */
record OverHttp(Loader loader, String path, Crowd crowd, int clients, int batch, Outcome outcome)
    implements Way {

  /** What is there afterwards. */
  interface Outcome {
    Optional<Population> collect(Slot day);
  }

  @Override
  public Sent write(Slot day, long first, int events) throws IOException {
    return loader.send(new Volley(Volley.To.SERVER, path, clients, crowd, first, events, batch));
  }

  @Override
  public Optional<Population> collect(Slot day) {
    return outcome.collect(day);
  }
}
