package palmares.bench.write;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import palmares.bench.write.SendResult.Pace;
import palmares.bench.write.Volley.CoinEvents;
import palmares.live.relay.Relay;
import palmares.period.Period;
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

  /** Sends events to a board that commits them, and waits until Redis has all of them. */
  record CommittedWay(HttpWay http, Relay relay, Function<Slot, Period> period) implements Way {
    @Override
    public SendResult write(Slot day, long first, int events) throws IOException {
      SendResult sent = http.write(day, first, events);
      long answered = System.nanoTime();
      relay.relay(period.apply(day).id());
      double seconds = events / sent.pace().perSecond() + (System.nanoTime() - answered) / 1e9;
      Pace pace = sent.pace();
      return new SendResult(
          new Pace(events / seconds, pace.middle(), pace.slow(), pace.slowest()),
          sent.clientSeconds());
    }

    @Override
    public Optional<Population> collect(Slot day) {
      return http.collect(day);
    }
  }
}
